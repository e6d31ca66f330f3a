-- SPDX-License-Identifier: GPL-2.0-only
-- Links between documents become links between pages; name(3) becomes a link to the manual page, if libmon has it.
local manual = {}
for name in io.popen("ls man; cd " .. (os.getenv("srcdir") or ".") .. " && ls man dpu/man"):lines() do
	manual[name] = true
end

function Link(link)
	if not link.target:match("^%a+:") then
		link.target = link.target:gsub("^[./]+", ""):gsub("^dpu/docs/", ""):gsub("^docs/", ""):gsub("%.md", ".html")
	end
	return link
end

function Image(image)
	image.src = image.src:gsub("^docs/", "")
	return image
end

function Str(text)
	local before, name, section, after = text.text:match("^(%(?)([%w_.-]+)%((%d)%)(.*)$")
	if name and manual[name .. "." .. section] then
		return { before, pandoc.Link(name .. "(" .. section .. ")", "man/" .. name .. "." .. section .. ".html"), after }
	end
end
