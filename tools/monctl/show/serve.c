// SPDX-License-Identifier: GPL-2.0-only
/* monctl serve: the page live, and metrics, over HTTP. It only answers GET and HEAD and changes nothing. */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tools/monctl/show/live.h"

#define MOST_CLIENTS 64
#define MOST_CLIENTS_PER_ADDRESS 32
#define IDLE_SECONDS 10
#define REQUEST_SECONDS 5		/* from the first byte of a request to its last one */
#define CLIENT_MEMORY 16384		/* request line and headers */
#define MOST_REQUESTS_PER_SECOND 200

struct serve_options {
	struct selection sel;
	struct sockaddr_in address;
	uint64_t interval;
	bool no_marks;
};

/* A connection. */
struct client {
	int fd;				/* -1: the entry is free */
	uint64_t since;			/* when it began to wait for a request; 0: it gets an answer */
};

/* An answer for several clients: pages and metrics stay the same until the next reading. */
struct cached {
	struct MHD_Response *response;
	uint64_t reading;		/* live_next() when it was made */
};

struct server {
	struct live *live;
	pthread_mutex_t lock;		/* protects all members below */
	struct cached page, metrics;
	time_t second;
	unsigned int requests;		/* in that second */
	struct client clients[MOST_CLIENTS];
	char name[HOST_NAME_MAX + 1];	/* of this machine */
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct serve_options *o = state->input;
	char *end;
	long port;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->sel;
		return 0;
	case 'P':
		port = strtol(arg, &end, 10);
		if (*end || port < 1 || port > 65535)
			argp_error(state, "--port %s: give a number from 1 to 65535", arg);
		o->address.sin_port = htons(port);
		return 0;
	case 'l':
		if (!strcmp(arg, "localhost"))
			arg = "127.0.0.1";
		if (inet_pton(AF_INET, arg, &o->address.sin_addr) != 1)
			argp_error(state, "--listen %s: give an address without port, as in 127.0.0.1; 0.0.0.0 is all; the port is --port",
				   arg);
		return 0;
	case 'd':
		o->interval = parse_time(arg, 1e9);
		if (o->interval < NS_PER_S / 10 || o->interval > 3600 * NS_PER_S)
			argp_error(state, "-d %s: give a time from 100ms to 1h, as in 500ms; a number alone is s", arg);
		return 0;
	case 'm':
		o->no_marks = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "port", 'P', "PORT", 0, "Port (default: 9091)", 0 },
	{ "listen", 'l', "ADDRESS", 0,
	  "Address to listen at (default: 127.0.0.1, this machine alone; 0.0.0.0: everybody)", 0 },
	{ "delay", 'd', "TIME", 0, "Time between two readings, as in 500ms (a number alone: s; default: 1s)", 0 },
	{ "no-marks", 'm', NULL, 0, "Do not show the runs of accelerators, DPUs and DSP programs", 0 },
	{ 0 },
};

static struct MHD_Response *make_response(char *text, size_t size, const char *type)
{
	struct MHD_Response *response =
		MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);

	if (!response)
		die("out of memory");
	MHD_add_response_header(response, "Content-Type", type);
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	/* the page loads nothing from elsewhere */
	MHD_add_response_header(response, "Content-Security-Policy",
				"default-src 'none'; script-src 'unsafe-inline'; "
				"style-src 'unsafe-inline'; connect-src 'self'");
	return response;
}

static enum MHD_Result answer_text(struct MHD_Connection *connection, unsigned int status,
				   const char *text)
{
	char *copy = format_text("%s\n", text);
	struct MHD_Response *response = make_response(copy, strlen(copy), "text/plain; charset=utf-8");
	enum MHD_Result ret;

	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, "Allow", "GET, HEAD");
	ret = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return ret;
}

static enum MHD_Result answer_cached(struct server *server, struct MHD_Connection *connection,
				     struct cached *cached,
				     char *(*make)(struct live *live, size_t *size), const char *type)
{
	uint64_t next = live_next(server->live);
	enum MHD_Result ret;
	size_t size;
	char *text;

	pthread_mutex_lock(&server->lock);
	if (!cached->response || cached->reading != next) {
		if (cached->response)
			MHD_destroy_response(cached->response);
		text = make(server->live, &size);
		cached->response = make_response(text, size, type);
		cached->reading = next;
	}
	ret = MHD_queue_response(connection, MHD_HTTP_OK, cached->response);
	pthread_mutex_unlock(&server->lock);
	return ret;
}

static enum MHD_Result answer_data(struct server *server, struct MHD_Connection *connection)
{
	const char *after = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "after");
	struct MHD_Response *response;
	enum MHD_Result ret;
	char *end, *text;
	uint64_t first;
	size_t size;

	first = after ? strtoull(after, &end, 10) : 0;
	if (!after || *after < '0' || *after > '9' || *end)
		return answer_text(connection, MHD_HTTP_BAD_REQUEST,
				   "after is missing or not a number: /data?after=NUMBER");
	text = live_data(server->live, first, &size);
	response = make_response(text, size, "application/json");
	ret = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return ret;
}

static bool is_too_often(struct server *server)
{
	time_t second = now_ns() / NS_PER_S;
	bool too_often;

	pthread_mutex_lock(&server->lock);
	if (second != server->second)
		server->requests = 0;
	server->second = second;
	too_often = ++server->requests > MOST_REQUESTS_PER_SECOND;
	pthread_mutex_unlock(&server->lock);
	return too_often;
}

/* A connection comes or goes. */
static void serve_client(void *arg, struct MHD_Connection *connection, void **context,
			 enum MHD_ConnectionNotificationCode code)
{
	struct server *server = arg;
	struct client *client = *context;
	size_t i = 0;

	pthread_mutex_lock(&server->lock);
	if (code == MHD_CONNECTION_NOTIFY_CLOSED && client) {
		client->fd = -1;
	} else if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		while (i < MOST_CLIENTS && server->clients[i].fd >= 0)
			i++;
		client = i < MOST_CLIENTS ? &server->clients[i] : NULL;
		if (client) {
			client->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
			client->since = now_ns();
		}
		*context = client;
	}
	pthread_mutex_unlock(&server->lock);
}

/* 0: its request is complete; otherwise: its answer is. */
static void client_waits(struct server *server, struct MHD_Connection *connection, uint64_t since)
{
	struct client *client =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;

	pthread_mutex_lock(&server->lock);
	if (client)
		client->since = since;
	pthread_mutex_unlock(&server->lock);
}

static void serve_done(void *arg, struct MHD_Connection *connection, void **state,
		       enum MHD_RequestTerminationCode code)
{
	(void)state;
	(void)code;
	client_waits(arg, connection, now_ns());
}

/*
 * libmicrohttpd's limit begins anew at each byte, so that a client could hold a connection as long as it likes. If there is
 * something to read from it, it waits for this server, and not the other way round.
 */
static void drop_slow(struct server *server)
{
	uint64_t now = now_ns();
	int unread = 0;

	pthread_mutex_lock(&server->lock);
	for (size_t i = 0; i < MOST_CLIENTS; i++) {
		const struct client *client = &server->clients[i];

		if (client->fd >= 0 && client->since && now - client->since > REQUEST_SECONDS * NS_PER_S &&
		    !ioctl(client->fd, FIONREAD, &unread) && !unread)
			shutdown(client->fd, SHUT_RDWR);
	}
	pthread_mutex_unlock(&server->lock);
}

/*
 * A page from elsewhere can make a browser ask this server under a name that leads here (DNS rebinding) and read the
 * answers. It cannot do so under an address or this machine's own names.
 */
static bool is_own_name(const struct server *server, const char *host)
{
	size_t length = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	char name[256];
	struct in_addr address;

	if (length >= sizeof(name))
		return false;
	memcpy(name, host, length);
	name[length] = '\0';
	return *name == '[' || inet_pton(AF_INET, name, &address) == 1 || !strcasecmp(name, "localhost") ||
	       !strcasecmp(name, server->name);
}

static enum MHD_Result serve_answer(void *arg, struct MHD_Connection *connection, const char *url,
				    const char *method, const char *version, const char *upload,
				    size_t *upload_size, void **state)
{
	struct server *server = arg;
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");

	(void)version;
	(void)upload;
	(void)upload_size;
	(void)state;
	client_waits(server, connection, 0);
	if (host && !is_own_name(server, host))
		return answer_text(connection, MHD_HTTP_MISDIRECTED_REQUEST,
				   "not a name of this machine: use its address or localhost");
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
				   "this server only answers GET and HEAD");
	if (is_too_often(server))
		return answer_text(connection, MHD_HTTP_TOO_MANY_REQUESTS,
				   "too many requests: try again in a second");
	if (!strcmp(url, "/"))
		return answer_cached(server, connection, &server->page, live_page,
				     "text/html; charset=utf-8");
	if (!strcmp(url, "/metrics"))
		return answer_cached(server, connection, &server->metrics, live_metrics,
				     "text/plain; version=0.0.4; charset=utf-8");
	if (!strcmp(url, "/data"))
		return answer_data(server, connection);
	return answer_text(connection, MHD_HTTP_NOT_FOUND, "there are the pages /, /metrics and /data");
}

static void serve_run(struct server *server, uint64_t interval, const sigset_t *wanted)
{
	uint64_t next = now_ns() + interval;

	for (;;) {
		uint64_t now = now_ns(), left = next > now ? next - now : 0;
		struct timespec time = { left < NS_PER_S ? 0 : 1, left < NS_PER_S ? left : 0 };

		drop_slow(server);
		if (sigtimedwait(wanted, NULL, &time) > 0)
			return;
		if (now_ns() < next)
			continue;
		live_measure(server->live);
		next += interval;
		if (next < now_ns())
			next = now_ns();	/* it cannot keep up */
	}
}

static void drop(struct cached *cached)
{
	if (cached->response)
		MHD_destroy_response(cached->response);
}

int cmd_serve(int argc, char **argv)
{
	static const struct argp_child children[] = { { &selection_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options, parse_option, "",
		"Show counters live in a browser (/) and give their totals to Prometheus (/metrics).",
		children, NULL, NULL,
	};
	struct serve_options o = {
		.interval = NS_PER_S,
		.address = { .sin_family = AF_INET, .sin_port = htons(9091),
			     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) },
	};
	static struct server server = { .lock = PTHREAD_MUTEX_INITIALIZER };
	struct tracepoints marks = { 0 };
	struct MHD_Daemon *daemon;
	char address[INET_ADDRSTRLEN];
	sigset_t wanted;

	parse_arguments(&argp, argc, argv, &o);
	o.sel.per_place = true;
	selection_resolve(&o.sel);
	if (!o.no_marks)
		tracepoints_find(&marks);
	server.live = live_new(&o.sel, &marks, o.interval);
	for (size_t i = 0; i < MOST_CLIENTS; i++)
		server.clients[i].fd = -1;
	gethostname(server.name, sizeof(server.name) - 1);
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &wanted, NULL);
	daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO,
				  ntohs(o.address.sin_port), NULL, NULL, serve_answer, &server,
				  MHD_OPTION_SOCK_ADDR, &o.address,
				  MHD_OPTION_CONNECTION_LIMIT, MOST_CLIENTS,
				  MHD_OPTION_PER_IP_CONNECTION_LIMIT, MOST_CLIENTS_PER_ADDRESS,
				  MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS,
				  MHD_OPTION_NOTIFY_CONNECTION, serve_client, &server,
				  MHD_OPTION_NOTIFY_COMPLETED, serve_done, &server,
				  MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CLIENT_MEMORY,
				  MHD_OPTION_END);
	inet_ntop(AF_INET, &o.address.sin_addr, address, sizeof(address));
	if (!daemon)
		die("%s port %d: cannot listen: %s: give another --port", address,
		    ntohs(o.address.sin_port), strerror(errno));
	fprintf(stderr, "monctl serve: %zu counters at http://%s:%d/ and /metrics; Ctrl-C ends it\n",
		o.sel.count, address, ntohs(o.address.sin_port));
	serve_run(&server, o.interval, &wanted);
	MHD_stop_daemon(daemon);
	drop(&server.page);
	drop(&server.metrics);
	live_free(server.live);
	tracepoints_free(&marks);
	selection_free(&o.sel);
	return 0;
}
