// The kinds of JSON logs that clouds and content delivery networks write.
import type { JsonLogRow } from "./json-kind.ts";
import { withoutEscapes } from "./json-record.ts";

const ofAzure = "https://learn.microsoft.com/en-us/azure";

/** The client's query; undefined for the gateway's own variables, which its first version writes in this member. */
const queryOfClient = (query: string): string | undefined =>
  query.startsWith("X-AzureApplicationGateway-") ? undefined : query;

/** The JSON logs of cloud services. */
export const cloudJsonLogs: readonly JsonLogRow[] = [
  /** The HTTP requests of Google Cloud's logs: of external load balancers, and of other services with the same record. */
  {
    name: "gcp",
    about: "Google Cloud load balancers, as JSON of Cloud Logging",
    documented: "https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#HttpRequest",
    fields: {
      target: ["httpRequest.requestUrl"],
      method: ["httpRequest.requestMethod"],
      client: ["httpRequest.remoteIp"],
      time: ["timestamp", "receiveTimestamp"],
      status: ["httpRequest.status"],
      bytes: ["httpRequest.responseSize"],
      referer: ["httpRequest.referer"],
      userAgent: ["httpRequest.userAgent"],
    },
    mayOmitAgent: () => true,
    signs: [{ at: ["httpRequest.requestUrl"] }],
    // An application may repeat the request in its own entries. The names of request logs: `requests`, `request_log`, `nginx.request`.
    noAccess: [{ at: ["logName"], is: /\/logs\/(?!.*req)/i, what: "is an entry of another log than that of requests" }],
    samples: {
      record:
        '{"httpRequest":{"latency":"0.068043s","remoteIp":"192.0.2.10","requestMethod":"GET","requestUrl":"{url}","responseSize":"5316","status":200,"userAgent":"{other}"},"insertId":"1oek5rg3l3fxj7","logName":"projects/shop/logs/requests","resource":{"type":"http_load_balancer"},"severity":"INFO","timestamp":"2026-11-21T06:55:09.391287Z"}',
      broken: ['{"httpRequest":{"requestUrl":', "oops"],
      fragments: [
        '{"httpRequest":{"requestUrl":"https://a.example/a"}}',
        '{"httpRequest":{}}',
        '{"httpRequest":{"requestUrl":"',
        "}}",
      ],
    },
  },
  /** The access log of Azure Front Door, classic and later. */
  {
    name: "azure_frontdoor",
    about: "Azure Front Door, access log",
    documented: `${ofAzure}/frontdoor/monitor-front-door-reference#access-log`,
    fields: {
      target: ["properties.requestUri"],
      host: ["properties.hostName"],
      method: ["properties.httpMethod"],
      client: ["properties.clientIp"],
      time: ["time"],
      status: ["properties.httpStatusCode"],
      bytes: ["properties.responseBytes"],
      referer: ["properties.referer", "properties.referrer"],
      userAgent: ["properties.userAgent"],
    },
    signs: [{ at: ["properties.requestUri"] }, { at: ["category"], is: /^FrontDoorAccessLog$/i }],
    noAccess: [
      { at: ["category"], is: /^(?!FrontDoorAccessLog$)/i, what: "is of another category" },
      // The classic Front Door: a miss at the edge has a second record, of the origin shield.
      {
        at: ["properties.isReceivedFromClient"],
        is: /^false$/i,
        what: "is a request from the edge to the origin shield",
      },
    ],
    samples: {
      record:
        '{"time":"2026-11-21T06:55:09.3912876Z","category":"FrontDoorAccessLog","operationName":"Microsoft.Cdn/Profiles/AccessLog/Write","properties":{"trackingReference":"0AbCdEf","httpMethod":"GET","httpVersion":"2.0","requestUri":"{url}","requestBytes":"412","responseBytes":"5316","userAgent":"{other}","clientIp":"192.0.2.10","httpStatusCode":"200","referer":"","cacheStatus":"HIT"}}',
      broken: ['{"category":"FrontDoorAccessLog","properties":{"requestUri":', "oops"],
      fragments: [
        '{"category":"FrontDoorAccessLog","properties":{"requestUri":"https://a.example:443/a"}}',
        '{"category":"FrontDoorAccessLog","properties":null}',
        '{"properties":"',
        "}",
      ],
    },
  },
  /** The access log of Azure Application Gateway. */
  {
    name: "azure_gateway",
    about: "Azure Application Gateway, access log",
    documented: `${ofAzure}/application-gateway/application-gateway-diagnostics#access-log`,
    fields: {
      // Rules may rewrite the URL; the URL that the client sent takes precedence.
      target: ["properties.originalRequestUriWithArgs"],
      path: ["properties.requestUri"],
      query: ["properties.requestQuery"],
      scheme: ["properties.sslEnabled"],
      host: ["properties.originalHost", "properties.host"],
      method: ["properties.httpMethod"],
      client: ["properties.clientIP"],
      time: ["timeStamp", "time"],
      status: ["properties.httpStatus"],
      bytes: ["properties.sentBytes"],
      referer: ["properties.referer", "properties.referrer"],
      userAgent: ["properties.userAgent"],
    },
    reads: { query: queryOfClient },
    signs: [{ at: ["category"], is: /^ApplicationGatewayAccessLog$/i }],
    noAccess: [{ at: ["category"], is: /^(?!ApplicationGatewayAccessLog$)/i, what: "is of another category" }],
    samples: {
      record:
        '{"timeStamp":"2026-11-21T06:55:09+00:00","category":"ApplicationGatewayAccessLog","properties":{"instanceId":"appgw_1","clientIP":"192.0.2.10","httpMethod":"GET","originalRequestUriWithArgs":"{target}","requestUri":"{path}","requestQuery":"{query}","userAgent":"{other}","httpStatus":200,"sentBytes":5316,"sslEnabled":"on","host":"{host}","originalHost":"{host}"}}',
      broken: ['{"category":"ApplicationGatewayAccessLog","properties":', "oops"],
      fragments: [
        '{"category":"ApplicationGatewayAccessLog","properties":{"requestUri":"/a","host":"a.example"}}',
        '{"category":"ApplicationGatewayAccessLog"}',
        '"properties":{',
        "[",
      ],
    },
  },
  /** The log of AWS WAF, whose headers are a list. */
  {
    name: "aws_waf",
    about: "AWS WAF, web ACL traffic",
    documented: "https://docs.aws.amazon.com/waf/latest/developerguide/logging-fields.html",
    fields: {
      path: ["httpRequest.uri"],
      query: ["httpRequest.args"],
      scheme: ["httpRequest.scheme", "httpRequest.headers.X-Forwarded-Proto"],
      host: ["httpRequest.headers.Host", "httpRequest.host"],
      method: ["httpRequest.httpMethod"],
      client: ["httpRequest.clientIp"],
      time: ["timestamp"],
      status: ["responseCodeSent"],
      referer: ["httpRequest.headers.Referer"],
      userAgent: ["httpRequest.headers.User-Agent"],
    },
    mayOmitAgent: ({ httpRequest }) =>
      typeof httpRequest === "object" && httpRequest !== null && "headers" in httpRequest,
    signs: [{ at: ["webaclId"] }, { at: ["httpRequest"] }],
    samples: {
      record:
        '{"timestamp":1795244109391,"formatVersion":1,"webaclId":"arn:aws:wafv2:us-east-2:0:regional/webacl/web/1","action":"ALLOW","httpSourceName":"ALB","responseCodeSent":null,"httpRequest":{"clientIp":"192.0.2.10","country":"FR","headers":[{"name":"host","value":"{host}"},{"name":"user-agent","value":"{other}"}],"uri":"{path}","args":"{query}","httpVersion":"HTTP/2.0","httpMethod":"GET","requestId":"1-6920"}}',
      broken: ['{"webaclId":"arn","httpRequest":', "oops"],
      fragments: [
        '{"webaclId":"arn","httpRequest":{"uri":"/a","headers":[{"name":"Host","value":"a.example"}]}}',
        '{"webaclId":"arn","httpRequest":{"uri":"/a","headers":[]}}',
        '{"webaclId":"arn","httpRequest":{"uri":"/a","headers":{"Host":["a.example"]}}}',
        '{"webaclId":"',
      ],
    },
  },
  /** CloudFront's standard logs (v2) and real-time logs as JSON: the fields of its text logs as members. */
  {
    name: "cloudfront_json",
    about: "CloudFront standard logs (v2) and real-time logs as JSON",
    documented: "https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html",
    fields: {
      path: ["cs-uri-stem"],
      query: ["cs-uri-query"],
      scheme: ["cs-protocol"],
      host: ["x-host-header", "cs(Host)", "cs-host"],
      method: ["cs-method"],
      client: ["c-ip"],
      date: ["date"],
      timeOfDay: ["time"],
      time: ["timestamp(ms)", "timestamp"],
      status: ["sc-status"],
      bytes: ["sc-bytes"],
      referer: ["cs(Referer)", "cs-referer"],
      userAgent: ["cs(User-Agent)", "cs-user-agent"],
    },
    reads: { userAgent: headerOfCloudfront },
    signs: [
      { at: ["cs-uri-stem"] },
      { at: ["x-host-header", "cs(Host)", "x-edge-location", "cs-protocol", "sc-status"] },
    ],
    samples: {
      record:
        '{"date":"2026-11-21","time":"06:55:09","x-edge-location":"FRA2-C1","sc-bytes":"5316","c-ip":"192.0.2.10","cs-method":"GET","cs(Host)":"d111111abcdef8.cloudfront.net","cs-uri-stem":"{path}","sc-status":"200","cs(Referer)":"-","cs(User-Agent)":"{other}","cs-uri-query":"{query}","x-edge-result-type":"Hit","x-host-header":"{host}","cs-protocol":"{scheme}","time-taken":"0.001"}',
      broken: ['{"cs-uri-stem":', "oops"],
      fragments: [
        '{"cs-uri-stem":"/a","x-host-header":"a.example"}',
        '{"cs-uri-stem":"-","x-host-header":"a.example"}',
        '{"cs-uri-stem":"',
        "}",
      ],
    },
  },
  /** Fastly's real-time logs in the JSON format that its documentation gives as the usual one. */
  {
    name: "fastly",
    about: "Fastly's real-time logs in their usual JSON",
    documented: "https://www.fastly.com/documentation/guides/integrations/logging-endpoints/",
    fields: {
      target: ["url"],
      host: ["host"],
      method: ["request_method"],
      client: ["client_ip"],
      time: ["timestamp"],
      status: ["response_status"],
      bytes: ["response_body_size"],
      referer: ["request_referer"],
      userAgent: ["request_user_agent"],
    },
    signs: [
      { at: ["url"] },
      { at: ["request_method"] },
      { at: ["fastly_server", "fastly_is_edge", "response_state", "geo_country"] },
    ],
    // With shielding, a miss at the edge has a second record, of the shield.
    noAccess: [{ at: ["fastly_is_edge"], is: /^(?:false|0)$/i, what: "is a request from the edge to the shield" }],
    samples: {
      record:
        '{"timestamp":"2026-11-21T06:55:09+0000","client_ip":"192.0.2.10","geo_country":"france","host":"{host}","url":"{target}","request_method":"GET","request_protocol":"HTTP/2","request_referer":"","request_user_agent":"{other}","response_state":"HIT","response_status":200,"response_body_size":5316,"fastly_server":"cache-par-lfpg1960042-PAR","fastly_is_edge":true}',
      broken: ['{"fastly_is_edge":true,"url":', "oops"],
      fragments: [
        '{"url":"/a","request_method":"GET","fastly_is_edge":true,"host":"a.example"}',
        '{"url":"*","request_method":"OPTIONS","fastly_is_edge":true}',
        '{"url":"',
        "}",
      ],
    },
  },
  /** Akamai's DataStream 2 as JSON. Members of missing values are left out; texts are percent-encoded. */
  {
    name: "akamai_json",
    about: "Akamai DataStream 2 as JSON",
    documented: "https://techdocs.akamai.com/datastream2/docs/data-set-parameters",
    fields: {
      path: ["reqPath"],
      query: ["queryStr"],
      scheme: ["proto"],
      host: ["reqHost"],
      method: ["reqMethod"],
      client: ["cliIP"],
      time: ["reqTimeSec"],
      status: ["statusCode"],
      bytes: ["bytes"],
      referer: ["referer"],
      userAgent: ["UA"],
    },
    // In some examples of the documentation, a path does not begin with a slash.
    reads: {
      path: (path) => (path.startsWith("/") || path === "*" ? path : `/${path}`),
      referer: headerOfAkamai,
      userAgent: headerOfAkamai,
    },
    mayOmitAgent: () => true,
    signs: [
      { at: ["reqHost"] },
      { at: ["reqPath", "reqTimeSec"] },
      { at: ["cp", "streamId", "UA", "cliIP", "version"] },
    ],
    samples: {
      record:
        '{"version":1,"streamId":"12345","cp":"123456","reqId":"1239f220","reqTimeSec":"1795244109.391","bytes":"4995","cliIP":"192.0.2.10","statusCode":"200","proto":"{scheme}","reqHost":"{host}","reqMethod":"GET","reqPath":"{path}","queryStr":"{query}","reqPort":"443","UA":"{other}","cacheStatus":"1","country":"FR"}',
      broken: ['{"streamId":"12345","reqHost":', "oops"],
      fragments: [
        '{"cp":"1","reqHost":"a.example","reqPath":"/a"}',
        '{"cp":"1","reqHost":"a.example","reqTimeSec":"1"}',
        '{"reqHost":"',
        ":",
      ],
    },
  },
  /** Log drains of Vercel as NDJSON. Records of builds and of the output of functions have no request. */
  {
    name: "vercel",
    about: "Vercel's log drains, requests of the proxy",
    documented: "https://vercel.com/docs/drains/reference/logs",
    fields: {
      target: ["proxy.path"],
      scheme: ["proxy.scheme"],
      host: ["proxy.host"],
      method: ["proxy.method"],
      client: ["proxy.clientIp"],
      time: ["proxy.timestamp", "timestamp"],
      status: ["proxy.statusCode", "statusCode"],
      bytes: ["proxy.responseByteSize"],
      referer: ["proxy.referer"],
      userAgent: ["proxy.userAgent"],
    },
    mayOmitAgent: () => true,
    signs: [{ at: ["deploymentId"] }, { at: ["projectId"] }, { at: ["source"] }],
    samples: {
      record:
        '{"id":"1795244109391377061717300000","deploymentId":"dpl_233N","source":"static","host":"shop-abc123.vercel.app","timestamp":1795244109391,"projectId":"gduf","level":"info","path":"/[page]","proxy":{"timestamp":1795244109391,"method":"GET","scheme":"{scheme}","host":"{host}","path":"{target}","userAgent":["{other}"],"referer":"","statusCode":200,"clientIp":"192.0.2.10"}}',
      broken: ['{"deploymentId":"dpl_1","projectId":"p","source":"build","message":"Compiled"}', "oops"],
      fragments: [
        '{"deploymentId":"d","projectId":"p","source":"edge","proxy":{"host":"a.example","path":"/a","userAgent":[]}}',
        '{"deploymentId":"d","projectId":"p","source":"edge","proxy":[]}',
        '"proxy":{',
        "}",
      ],
    },
  },
];

/** The header in a field of CloudFront. Older logs escape a header twice. */
function headerOfCloudfront(field: string): string {
  const once = withoutEscapes(field);
  return once.includes("%20") && !once.includes(" ") ? withoutEscapes(once) : once;
}

/** The header in a field of DataStream. Its spaces are written as "%20" or, in older examples of the documentation, as "+". */
function headerOfAkamai(field: string): string {
  const isForm = field.includes("%") && field.includes("+") && !/%20| /.test(field);
  return withoutEscapes(isForm ? field.replaceAll("+", " ") : field);
}
