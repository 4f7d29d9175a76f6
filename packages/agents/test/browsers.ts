// Realistic User-Agent headers of browsers and of apps that show pages, generated from the parts that vary among them.

const chromeVersions = ["79.0.3945.88", "96.0.4664.110", "109.0.0.0", "120.0.0.0", "131.0.0.0", "141.0.0.0"];
const firefoxVersions = ["52.0", "78.0", "91.0", "115.0", "128.0", "143.0"];
const desktops = [
  "Windows NT 10.0; Win64; x64",
  "Windows NT 6.1; WOW64",
  "Macintosh; Intel Mac OS X 10_15_7",
  "X11; Linux x86_64",
  "X11; CrOS x86_64 14541.0.0",
];
const phones = [
  "Linux; Android 10; K",
  "Linux; Android 13; SM-S918B",
  "Linux; Android 14; Pixel 8 Pro Build/UQ1A.240205.002",
  "Linux; Android 9; Redmi Note 8",
  "Linux; Android 12; HUAWEI P50",
];
const iosVersions = ["12_5", "15_6_1", "16_6", "17_5_1", "18_6"];

const chrome = (system: string, version: string, rest = "", mobile = ""): string =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}${mobile} Safari/537.36${rest}`;
const iphone = (version: string, rest: string, device = "iPhone; CPU iPhone OS"): string =>
  `Mozilla/5.0 (${device} ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)${rest}`;

const desktopBrands = [
  "",
  " Edg/131.0.2903.86",
  " OPR/115.0.0.0",
  " Vivaldi/7.0.3495.15",
  " YaBrowser/24.10.0.0 Yowser/2.5",
  " Whale/3.28.266.14",
  " coc_coc_browser/131.0.124",
  " QIHU 360SE",
  " SE 2.X MetaSr 1.0",
  " LBBROWSER",
  " DuckDuckGo/7",
  " Ddg/17.4",
  " Sidekick/124.66.1",
];
const phoneBrands = [
  "",
  " EdgA/130.0.2849.80",
  " OPR/76.2.4027.73374",
  " YaBrowser/24.1.0.0 SA/3",
  " DuckDuckGo/5",
  " [FB_IAB/FB4A;FBAV/489.0.0.66.81;]",
  " Instagram 361.0.0.46.88 Android (34/14; 480dpi; 1080x2400; samsung; SM-S918B)",
  " musical_ly_2023708040 JsSdk/1.0 NetType/WIFI Channel/googleplay BytedanceWebview/d8a21c6",
  " Line/14.19.1/IAB",
  " Snapchat/13.10.0.39",
  " [Pinterest/Android]",
  " GSA/15.45.37.28.arm64",
  " LinkedInApp",
  " baiduboxapp/13.60.0.10 (Baidu; P1 12)",
  " MicroMessenger/8.0.50.2701(0x28003255) WeChat/arm64 Weixin NetType/WIFI Language/en",
  " HuaweiBrowser/15.0.4.312",
  " TwitterAndroid",
];
const appleApps = [
  " Version/17.5 Mobile/15E148 Safari/604.1",
  " CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1",
  " FxiOS/132.0 Mobile/15E148 Safari/605.1.15",
  " EdgiOS/130.0.2849.80 Version/17.0 Mobile/15E148 Safari/604.1",
  " GSA/342.0.693598186 Mobile/15E148 Safari/604.1",
  " Mobile/15E148 [FBAN/FBIOS;FBAV/489.0.0.36.103;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS]",
  " Mobile/15E148 Instagram 354.0.0.21.101 (iPhone14,5; iOS 17_5_1; en_US; en; scale=3.00; 1170x2532)",
  " Mobile/15E148 [Pinterest/iOS]",
  " Mobile/15E148 [LinkedInApp]/9.30.1234",
  " Mobile/15E148 Twitter for iPhone/10.70",
  " Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15",
  " Mobile/15E148 MicroMessenger/8.0.53(0x1800352e) NetType/4G Language/de",
  " Version/17.2 YaBrowser/24.2.1.331.10 SA/3 Mobile/15E148 Safari/604.1",
];

/** About three hundred headers of browsers, apps and a few other programs, none of them a crawler's. */
export const browsers: readonly string[] = [
  ...new Set([
    ...desktops.flatMap((system) => chromeVersions.map((version) => chrome(system, version))),
    ...desktops.flatMap((system) => desktopBrands.map((brand) => chrome(system, "131.0.0.0", brand))),
    ...phones.flatMap((system) => phoneBrands.map((brand) => chrome(system, "130.0.6723.107", brand, " Mobile"))),
    ...desktops.flatMap((system) =>
      firefoxVersions.map((version) => `Mozilla/5.0 (${system}; rv:${version}) Gecko/20100101 Firefox/${version}`),
    ),
    ...iosVersions.flatMap((version) => appleApps.map((app) => iphone(version, app))),
    ...["15_6", "17_6"].map((version) => iphone(version, " Version/17.5 Mobile/15E148 Safari/604.1", "iPad; CPU OS")),
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15",
    "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
    "Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)",
    "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; SLCC2; .NET CLR 2.0.50727; Media Center PC 6.0)",
    "Mozilla/5.0 (compatible; Konqueror/4.5; Windows) KHTML/4.5.4 (like Gecko)",
    "Mozilla/5.0 (compatible; Google Desktop/5.9.1005.12335; http://desktop.google.com/)",
    "Opera/9.80 (J2ME/MIDP; Opera Mini/7.1.32052/29.3709; U; en) Presto/2.8.119 Version/11.10",
    "Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18",
    "Mozilla/5.0 (Linux; U; Android 10; en-US; RMX2030) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.4.0.1306 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-A536B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 11; M2004J19C; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/91.0.4472.120 Mobile Safari/537.36 YandexSearch/21.70 YandexSearchBrowser/21.70",
    "Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/76.0.3809.146 TV Safari/537.36",
    "Mozilla/5.0 (PlayStation; PlayStation 5/6.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:2.0.1) Gecko/20110506 Firefox/4.0.1 (Arch Linux)",
    "Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.8",
    "Links (2.29; Linux 6.1.0 x86_64; GNU C 12.2; text)",
    "curl/8.5.0",
    "python-requests/2.31.0",
    "WordPress/6.8; https://website.example",
    "-",
    "",
  ]),
];
