// The kinds of JSON logs that servers and proxies write: nginx, Envoy, Traefik.
import type { JsonLogRow } from "./json-kind.ts";
import { isJsonMessage } from "./server-messages.ts";

const absoluteUrl = /^[a-z]{3,5}:\/\//i;

/** The JSON logs of servers and proxies. */
export const serverJsonLogs: readonly JsonLogRow[] = [
  /**
   * nginx has no JSON log of its own: in a `log_format` with `escape=json` the author chooses the names, usually those of the variables.
   * For some variables, Elastic's examples use other names.
   */
  {
    name: "nginx_json",
    about: "nginx's access log as JSON, with names like its variables",
    documented: "https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format",
    mayLackHost: true,
    hasServerPath: true,
    fields: {
      request: ["request"],
      target: ["request_uri"],
      path: ["uri", "path", "document_uri"],
      query: ["args", "query_string"],
      scheme: ["http_x_forwarded_proto", "scheme", "request_scheme", "https"],
      host: [
        "http_host",
        "host",
        "request_host",
        "req_host",
        "host_header",
        "Host",
        "http_x_forwarded_host",
        "x_forwarded_host",
        "http_x_original_host",
        // The host that the client named in the TLS handshake.
        "ssl_server_name",
        "sni",
        "server_name",
        "vhost",
        "virtual_host",
        "domain",
      ],
      method: ["request_method", "method", "verb"],
      client: ["remote_addr", "remote_ip", "client_ip", "http_x_forwarded_for", "x_forwarded_for"],
      // Programs that read or ship logs add "@timestamp" and "timestamp", the time at which they read the line.
      time: ["time_iso8601", "time_local", "msec", "timestamp", "time", "@timestamp"],
      status: ["status", "response"],
      bytes: ["body_bytes_sent", "bytes_sent", "bytes"],
      referer: ["http_referer", "http_referrer", "referer", "referrer"],
      userAgent: ["http_user_agent", "user_agent", "agent"],
    },
    signs: [
      { at: ["request_uri", "request", "uri"], is: /^(?:\/|[A-Z]{3,20} \S+|-?$)/ },
      { at: ["remote_addr", "remote_ip", "http_user_agent", "body_bytes_sent", "time_iso8601", "time_local"] },
    ],
    // Other kinds: records with a whole URL, and Envoy's records, whose members have similar names.
    isOther: ({ url, uri, response_flags: flags }) =>
      [url, uri].some((text) => typeof text === "string" && absoluteUrl.test(text)) || flags !== undefined,
    samples: {
      record:
        '{"time_iso8601":"2026-11-21T06:55:09+00:00","remote_addr":"192.0.2.10","request_method":"GET","scheme":"{scheme}","host":"{host}","request_uri":"{target}","status":200,"body_bytes_sent":5316,"http_referer":"","http_user_agent":"{other}","request_time":0.003}',
      broken: ['{"time_iso8601":"2026-11-21T06:55:09+00:00","request_uri":', "oops"],
      fragments: [
        '{"remote_addr":"192.0.2.1","request":"GET /a?b HTTP/1.1","host":"a.example"}',
        '{"remote_addr":"192.0.2.1","request":"\\u0016\\u0003","host":"a.example"}',
        '{"remote_addr":"192.0.2.1","request_uri":"/a","host":"a.example"}',
        '{"request":"',
        "}",
      ],
    },
  },
  /** Envoy has no JSON log of its own. The names in this row are from Istio's mesh configuration and from Envoy Gateway. */
  {
    name: "envoy_json",
    about: "Envoy's access log as JSON, as Istio and Envoy Gateway write it",
    documented:
      "https://istio.io/latest/docs/tasks/observability/logs/access-log/, https://gateway.envoyproxy.io/docs/tasks/observability/proxy-accesslog/",
    fields: {
      target: ["x-envoy-original-path", "x-envoy-origin-path", "path", ":path"],
      scheme: ["x-forwarded-proto", "x_forwarded_proto", "scheme", ":scheme"],
      // Routes may rewrite the authority, as they may the path.
      host: ["x-envoy-original-host", "authority", ":authority", "host"],
      method: ["method", ":method"],
      client: ["x_forwarded_for", "x-forwarded-for", "downstream_remote_address"],
      time: ["start_time", "timestamp", "time"],
      status: ["response_code"],
      bytes: ["bytes_sent"],
      referer: ["referer", "referrer"],
      userAgent: ["user_agent", "user-agent"],
    },
    signs: [
      { at: ["response_flags"] },
      { at: ["response_code"] },
      { at: ["path", ":path", "x-envoy-origin-path", "x-envoy-original-path", "authority", ":authority"] },
    ],
    samples: {
      record:
        '{"start_time":"2026-11-21T06:55:09.391Z","method":"GET","path":"{target}","x-forwarded-proto":"{scheme}","protocol":"HTTP/2","response_code":200,"response_flags":"-","bytes_sent":5316,"duration":3,"x_forwarded_for":"192.0.2.10,10.0.0.4","user_agent":"{other}","authority":"{host}","downstream_remote_address":"10.0.0.4:35012"}',
      broken: ['{"response_code":200,"response_flags":', "oops"],
      fragments: [
        '{"response_code":0,"response_flags":"DPE","authority":null,"path":null}',
        '{"response_code":200,"response_flags":"-","authority":"a.example","path":"/a"}',
        '{"response_flags":"',
        "]",
      ],
    },
  },
  /** Traefik's access log with `format: json`. The log contains the headers that Traefik's setting `fields.headers` keeps. */
  {
    name: "traefik_json",
    about: "Traefik's access log as JSON",
    documented: "https://doc.traefik.io/traefik/observability/access-logs/#limiting-the-fieldsincluding-headers",
    fields: {
      target: ["RequestPath"],
      scheme: ["request_X-Forwarded-Proto", "RequestScheme"],
      host: ["RequestAddr", "RequestHost"],
      method: ["RequestMethod"],
      client: ["ClientHost", "ClientAddr"],
      time: ["StartUTC", "StartLocal", "time"],
      status: ["DownstreamStatus"],
      bytes: ["DownstreamContentSize"],
      referer: ["request_Referer"],
      userAgent: ["request_User-Agent", "request_User_Agent"],
    },
    // By default, Traefik logs no headers. A request may lack one header of a log that has others.
    mayOmitAgent: (record) => Object.keys(record).some((name) => name.startsWith("request_")),
    isMessage: isJsonMessage,
    signs: [{ at: ["RequestPath"] }, { at: ["RequestAddr", "RequestHost", "DownstreamStatus", "ClientHost"] }],
    samples: {
      record:
        '{"ClientAddr":"192.0.2.10:51082","ClientHost":"192.0.2.10","DownstreamContentSize":5316,"DownstreamStatus":200,"Duration":1823000,"RequestAddr":"{host}","RequestHost":"{host}","RequestMethod":"GET","RequestPath":"{target}","RequestScheme":"{scheme}","StartUTC":"2026-11-21T06:55:09.391287654Z","entryPointName":"websecure","level":"info","msg":"","request_User-Agent":"{other}","time":"2026-11-21T06:55:09Z"}',
      broken: ['{"RequestPath":', "oops"],
      fragments: ['{"RequestPath":"/a","RequestHost":"a.example"}', '{"RequestPath":"*","RequestHost":"a"}', '{"', ","],
    },
  },
];
