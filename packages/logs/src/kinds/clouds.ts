// Logs of cloud services: Amazon S3, both AWS load balancers, Heroku's router, Alibaba Cloud's CDN.
import type { TextLogKind } from "../text-log.ts";

const named =
  'host=$host request_id=$request_id fwd="$http_x_forwarded_for" dyno=$dyno connect=$connect service=$service status=$status bytes=$bytes_sent';

/** The beginnings of lines of Heroku's router: from `heroku logs`, from a syslog drain, and without a prefix. */
const routers = ["$time_iso8601 heroku[router]: ", "<${priority}>1 $time_iso8601 $drain heroku router - ", ""];

/** The text logs of cloud services. */
export const cloudLogs: readonly TextLogKind[] = [
  /** Server access logs of Amazon S3. */
  {
    name: "s3",
    about: "Amazon S3 server access logs",
    documented: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html",
    pattern:
      '$bucket_owner $bucket [$time_local] $remote_addr $requester $request_id $operation $key "$request" $status $error_code $bytes_sent $object_size $total_time $turn_around_time "$http_referer" "$http_user_agent" $version_id',
    mayFollow:
      "$host_id $signature_version $cipher_suite $authentication_type $http_host $tls_version $access_point_arn $acl_required",
    hasRest: true,
    samples: {
      record:
        '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be bucket [17/May/2015:10:05:03 +0000] 192.0.2.3 - 7B4A0FABBEXAMPLE REST.GET.OBJECT a "GET {target} HTTP/1.1" 200 - 113 - 7 - "-" "{other}" - id= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader {host} TLSv1.2 - -',
      broken: [
        '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be bucket [17/May/2015:10:05:03 +0000] - svc 7B4A0FABBEXAMPLE S3.EXPIRE.OBJECT a "-" - - - 33 - - "-" "-" -',
        "oops",
      ],
      fragments: [
        '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be bucket [17/May/2015:10:05:03 +0000] 192.0.2.3 - 7B4A REST.GET.OBJECT a "GET /bucket/a HTTP/1.1" 200 - 113 - 7 - "-" "x" - id= - - - a.example TLSv1.2',
        '" ',
        " - ",
      ],
      log: [
        '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be shop-bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be 3E57427F3EXAMPLE REST.GET.VERSIONING - "GET /?versioning HTTP/1.1" 200 - 113 - 7 - "-" "S3Console/0.4" - s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/eTPFvsiP/XV/VLi31234= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader shop-bucket.s3.us-west-1.amazonaws.com TLSV1.2 arn:aws:s3:us-west-1:123456789012:accesspoint/ap Yes',
        '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be shop-bucket [06/Feb/2019:00:00:39 +0000] 192.0.2.4 - 891CE47D2EXAMPLE REST.GET.OBJECT img/a.png "GET /img/a.png HTTP/1.1" 200 - 24210 24210 12 11 "https://www.shop.example/" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" - h= - ECDHE-RSA-AES128-GCM-SHA256 - shop-bucket.s3.us-west-1.amazonaws.com TLSV1.2 - -',
        '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be shop-bucket [06/Feb/2019:00:01:00 +0000] - svc:s3.amazonaws.com A1206F460EXAMPLE S3.EXPIRE.OBJECT old%2Ba.log "-" - - - 33 - - "-" "-" -',
        '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be shop-bucket [06/Feb/2019:00:01:57 +0000] 2001:db8::8 - DD6CC733AEXAMPLE REST.GET.OBJECT none "GET /none?x=1 HTTP/1.1" 404 NoSuchKey 299 - 9 - "-" "curl/8.5.0" - h= - - - shop-bucket.s3.us-west-1.amazonaws.com - - -',
      ],
      hostile: [
        '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be b [06/Feb/2019:00:01:57 +0000] 192.0.2.4 - DD6C REST.GET.OBJECT none "GET /a" 200 b HTTP/1.1" 404 NoSuchKey 299 - 9 - "a" b" "x"y" - h= - - - evil.example/x -',
      ],
    },
  },
  /** Access logs of AWS Classic Load Balancers. */
  {
    name: "elb",
    about: "AWS Classic Load Balancer access logs",
    documented: "https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html",
    pattern:
      '$time_iso8601 $elb $remote_addr:$remote_port $backend $request_processing_time $backend_processing_time $response_processing_time $status $backend_status_code $received_bytes $bytes_sent "$request" "$http_user_agent" $ssl_cipher $ssl_protocol',
    namesHost: true,
    samples: {
      record:
        '2015-05-13T23:39:43.945958Z my-lb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET {url} HTTP/1.1" "{other}" - -',
      broken: [
        '2015-05-13T23:39:43.945958Z my-lb 192.0.2.1:2817 10.0.0.1:80 0.001065 0.000015 0.000023 - - 57 502 "- - - " "-" - -',
        "oops",
      ],
      fragments: [
        '2015-05-13T23:39:43.945958Z my-lb 192.0.2.1:2817 - -1 -1 -1 503 0 0 0 "GET http://a.example:80/a HTTP/1.1" "x" - -',
        '"',
        " - -",
      ],
      log: [
        '2015-05-13T23:39:43.945958Z my-loadbalancer 192.168.131.39:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET http://www.shop.example:80/ HTTP/1.1" "curl/7.38.0" - -',
        '2015-05-13T23:39:44.945958Z my-loadbalancer 192.168.131.39:2818 10.0.0.1:80 0.000086 0.001048 0.001337 200 200 0 57 "GET https://www.shop.example:443/cart?x=1 HTTP/1.1" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" DHE-RSA-AES128-SHA TLSv1.2',
        '2015-05-13T23:39:45.945958Z my-loadbalancer 192.168.131.39:2819 10.0.0.1:80 0.001069 0.000028 0.000041 - - 82 305 "- - - " "-" - -',
        '2015-05-13T23:39:46.945958Z my-loadbalancer 2001:db8::4:2820 - -1 -1 -1 503 0 0 0 "GET http://www.shop.example:80/a HTTP/1.1" "-" - -',
      ],
      hostile: [
        '2015-05-13T23:39:46.945958Z lb [2001:db8::4]:2820 - -1 -1 -1 503 0 0 0 "GET http://a.example:80/" 200 "x HTTP/1.1" "a" - -" - -',
      ],
    },
  },
  /** Access logs of AWS Application Load Balancers. Newer versions append fields. */
  {
    name: "alb",
    about: "AWS Application Load Balancer access logs",
    documented: "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html",
    pattern:
      '$scheme $time_iso8601 $elb $remote_addr:$remote_port $target $request_processing_time $target_processing_time $response_processing_time $status $target_status_code $received_bytes $bytes_sent "$request" "$http_user_agent"',
    mayFollow: '$ssl_cipher $ssl_protocol $target_group_arn "$trace_id" "$host"',
    hasRest: true,
    isSure: (fields) => /^(?:https?|h2|grpcs|wss?)$/.test(fields("scheme") ?? ""),
    samples: {
      record:
        'https 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 10.0.0.1:80 0 0 0 200 200 0 57 "GET {url} HTTP/1.1" "{other}" - - arn "Root=1" "-" "-" 0',
      broken: [
        'https 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 - -1 -1 -1 400 - 0 57 "- http://a.example:443- -" "-" - - arn "Root=1" "-" "-" 0',
        "oops",
      ],
      fragments: [
        'http 2018-07-02T22:23:00.186641Z app/x/5 192.0.2.1:1 10.0.0.1:80 0 0 0 200 200 0 57 "GET http://a.example:80/ HTTP/1.1" "x" - -',
        '"',
        " ",
      ],
      log: [
        'http 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET http://www.shop.example:80/ HTTP/1.1" "curl/7.46.0" - - arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "Root=1-58337262-36d228ad5d99923122bbe354" "-" "-" 0 2018-07-02T22:22:48.364000Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"',
        'https 2018-07-02T22:23:00.286641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2818 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.shop.example:443/cart?id=2 HTTP/1.1" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "Root=1-58337281-1d84f3d73c47ec4e58577259" "www.shop.example" "arn:aws:acm:us-east-2:123456789012:certificate/12345678" 1 2018-07-02T22:22:48.364000Z "authenticate,forward" "-" "-" "10.0.0.1:80" "200" "-" "-"',
        'h2 2018-07-02T22:23:00.386641Z app/my-loadbalancer/50dc6c495c0c9188 10.0.1.252:48160 10.0.0.66:9000 0.000 0.002 0.000 200 200 5 257 "GET https://10.0.2.105:773/ HTTP/2.0" "curl/7.46.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "Root=1-58337327-72bd00b0343d75b906739c42" "-" "-" 1 2018-07-02T22:22:48.364000Z "redirect" "https://shop.example:80/" "-" "10.0.0.66:9000" "200" "-" "-"',
        'http 2018-07-02T22:23:00.486641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2819 - -1 -1 -1 400 - 0 272 "- http://www.shop.example:80- -" "-" - - - "-" "-" "-" - 2018-07-02T22:23:00.486641Z "-" "-" "-" "-" "-" "-" "-"',
      ],
      hostile: [
        'http 2018-07-02T22:23:00.186641Z app/x/5 [2001:db8::1]:1 10.0.0.1:80 0 0 0 200 200 0 57 "GET /"x" "y HTTP/1.1" "a\\" b" - - arn "Root=1" "a.example" "-" 0',
      ],
    },
  },
  /** Lines of Heroku's router; errors have a code and a description. */
  {
    name: "heroku",
    about: "logs of Heroku's router",
    documented: "https://devcenter.heroku.com/articles/http-routing#heroku-router-log-format",
    pattern: routers.flatMap((router) =>
      ["at=$at ", 'at=$at code=$code desc="$desc" '].flatMap((at) => [
        `${router}${at}method=$request_method path="$request_uri" ${named}`,
        `${router}${at}method=$request_method path=$request_uri ${named}`,
      ]),
    ),
    mayFollow: "protocol=$scheme",
    escape: "none",
    hasRest: true,
    samples: {
      record:
        '2015-05-17T10:05:03.123456+00:00 heroku[router]: at=info method=GET path="{target}" host={host} request_id=8601b555 fwd="192.0.2.1" dyno={other} connect=1ms service=18ms status=200 bytes=13 protocol=https',
      broken: [
        '2015-05-17T10:05:03.123456+00:00 heroku[router]: at=error code=H99 desc="x" method=- path="-" host=a.example request_id=8601b555 fwd="-" dyno= connect= service= status=503 bytes=0 protocol=https',
        "oops",
      ],
      fragments: [
        '2015-05-17T10:05:03.123456+00:00 heroku[router]: at=error code=H12 desc="Request timeout" method=GET path=/a host=a.example request_id=8 fwd="192.0.2.1" dyno=web.1 connect=6ms service=30001ms status=503 bytes=0',
        "at=info ",
        'path="',
      ],
      log: [
        '2012-10-11T03:47:20.000000+00:00 heroku[router]: at=info method=GET path="/" host=www.shop.example request_id=8601b555-6a83-4c12-8269-97c8e32cdb22 fwd="203.0.113.13" dyno=web.1 connect=0ms service=18ms status=200 bytes=13 protocol=https tls_version=tls1.3',
        '2012-10-11T03:47:21.120000+00:00 heroku[router]: at=info method=GET path="/cart?id=1" host=www.shop.example request_id=8601b555-6a83-4c12-8269-97c8e32cdb23 fwd="203.0.113.14" dyno=web.2 connect=1ms service=9ms status=304 bytes=0 protocol=https tls_version=tls1.3',
        '2012-10-11T03:47:22.000000+00:00 heroku[router]: at=error code=H12 desc="Request timeout" method=GET path=/slow host=www.shop.example request_id=8601b555-6a83-4c12-8269-97c8e32cdb24 fwd="203.0.113.13" dyno=web.1 connect=6ms service=30001ms status=503 bytes=0 protocol=http',
        '2012-10-11T03:47:23.000000+00:00 heroku[router]: at=error code=H10 desc="App crashed" method=POST path="/pay" host=www.shop.example request_id=8601b555-6a83-4c12-8269-97c8e32cdb25 fwd="2001:db8::6" dyno= connect= service= status=503 bytes= protocol=https',
      ],
      hostile: [
        '2012-10-11T03:47:20.000000+00:00 heroku[router]: at=info method=GET path="/" host=evil.example fwd="x" host=www.shop.example request_id=8 fwd="203.0.113.13" dyno=web.1 connect=0ms service=18ms status=200 bytes=13 protocol=https',
      ],
    },
  },
  /** Offline logs of Alibaba Cloud's CDN. A request has a whole URL and no version of HTTP. */
  {
    name: "alibaba",
    about: "Alibaba Cloud CDN, offline logs",
    documented: "https://www.alibabacloud.com/help/en/cdn/user-guide/download-logs",
    pattern:
      '[$time_local] $remote_addr $proxy_ip $response_ms "$http_referer" "$request_method $request_uri" $status $request_size $bytes_sent $hit "$http_user_agent" "$content_type"',
    hasRest: true,
    namesHost: true,
    samples: {
      record: '[26/Jun/2019:10:38:19 +0800] 192.0.2.1 - 1542 "-" "GET {url}" 200 191 2830 MISS "{other}" "text/html"',
      broken: ['[26/Jun/2019:10:38:19 +0800] 192.0.2.1 - 1542 "-" "- -" 400 0 0 - "-" "-"', "oops"],
      fragments: [
        '[26/Jun/2019:10:38:19 +0800] 192.0.2.1 - 1542 "-" "GET http://a.example/a" 200 191 2830 MISS "x" "text/html"',
        '" "',
        "HIT",
      ],
      log: [
        '[26/Jun/2019:10:38:19 +0800] 192.0.2.53 - 1542 "-" "GET http://www.shop.example/index.html" 200 191 2830 MISS "Mozilla/5.0 (compatible; AhrefsBot/5.0; +http://ahrefs.com/robot/)" "text/html"',
        '[26/Jun/2019:10:38:20 +0800] 192.0.2.54 203.0.113.8 3 "https://www.shop.example/" "GET https://www.shop.example/a.png?v=2" 200 291 41830 HIT "Mozilla/5.0 (X11; Linux x86_64)" "image/png"',
        '[26/Jun/2019:10:38:21 +0800] 2001:db8::4 - 12 "-" "HEAD https://img.shop.example/b" 404 99 0 MISS "curl/8.5.0" "-"',
      ],
      hostile: [
        '[26/Jun/2019:10:38:21 +0800] 192.0.2.1 - 12 "-" "GET https://user@evil.example/b c" 404 99 0 MISS "x\\" 1 \\"y" "-"',
      ],
    },
  },
];
