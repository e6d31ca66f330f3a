#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""One headless Chromium for pages: a module, and a command for shell scripts.

browser.py URL SCRIPT... opens a page and prints the result of each script, one a line.
browser.py --shot FILE WIDTHxHEIGHT URL [grey] takes a picture of a page (HEIGHT 0: all of it).

It talks to Chromium over a pipe in the DevTools protocol, and waits for events, so that a page costs what it takes to load.
"""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile

READY = """new Promise(done => { const look = () => document.readyState === "complete" &&
    (document.body.dataset.ready || !document.getElementById("recording")) ? done() : setTimeout(look, 5); look(); })"""


class Browser:
    """Chromium with one page at a time."""

    def __init__(self):
        self.profile = tempfile.mkdtemp()
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def pipes():
            # Chromium reads from 3 and writes to 4; the pipes may have these numbers themselves
            read, write = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(read, 3)
            os.dup2(write, 4)

        with open(os.path.join(self.profile, "log"), "wb") as log:
            self.process = subprocess.Popen(
                ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--force-color-profile=srgb", "--hide-scrollbars",
                 "--allow-file-access-from-files", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
                preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        os.close(theirs_in)
        os.close(theirs_out)
        self.reader, self.writer = os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb", buffering=0)
        self.number, self.rest, self.errors, self.session = 0, b"", [], None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")

    def read(self):
        """The next message, which ends with a zero."""
        while b"\0" not in self.rest:
            more = os.read(self.reader.fileno(), 1 << 20)
            if not more:
                raise EOFError("chromium has ended")
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        return message

    def call(self, method, **params):
        """Sends a command; returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.writer.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def run(self, script):
        """The value of a function's body, or of its promise, as JavaScript writes it."""
        result = self.call("Runtime.evaluate", expression=f"Promise.resolve((() => {{ {script} }})()).then(String)",
                           awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            return result["exceptionDetails"].get("exception", {}).get("description", "failed")
        return result["result"]["value"]

    def open(self, url, width=1400, height=900, media="screen"):
        """Loads a page and waits until its scripts have drawn it."""
        self.errors.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media)
        # a change of the hash alone would not load it again
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.run(f"return {READY};")

    def shot(self, path, height=0):
        """A picture of the page, as high as the page or the number."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": height or size["height"], "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        """Ends Chromium."""
        self.session = None
        self.call("Browser.close")
        self.process.wait()
        self.reader.close()
        self.writer.close()
        shutil.rmtree(self.profile, ignore_errors=True)


def main(args):
    """The command."""
    browser = Browser()
    if args[0] == "--shot":
        width, height = map(int, args[2].split("x"))
        browser.call("Emulation.setEmulatedVisionDeficiency", type="achromatopsia" if args[4:] == ["grey"] else "none")
        browser.open(args[3], width, height or 900)
        browser.shot(args[1], height)
    else:
        browser.open(args[0])
        for script in args[1:]:
            print(browser.run(script))
    for error in browser.errors:
        print(error, file=sys.stderr)
    browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
