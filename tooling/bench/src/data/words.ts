// Lists the words of generated sites (sections, subjects, query parameters, file endings, crawlers), the most common ones first.

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** First segments of paths, in URLs and in rules alike. */
export const sections: readonly string[] = wordsOf(`
  products blog news shop category tag search article user en forum account about articles cart images profile topic
  help login static wp-content de fr media archive events video collections author api reviews company support admin
  docs wiki store checkout download files members photos galleries careers press locations services community jobs
  themes plugins register wishlist compare order tmp private cgi-bin includes modules misc scripts ajax preview print
  feed rss stats tools courses recipes travel sports music movies books games health finance politics science
  technology lifestyle opinion world local weather deals brands sale gift outlet clearance new-arrivals women men kids
  home garden auto toys beauty electronics grocery pets office outdoors jewelry shoes handbags accessories furniture
  podcasts newsletters subscribe advertise privacy terms sitemap contact partners investors research whitepapers
  webinars case-studies customers pricing features integrations changelog status security legal directory listings
  agents rentals mortgage neighborhoods schools doctors clinics conditions symptoms drugs vehicles dealers parts
  tickets venues artists albums tracks playlists channels streams clips highlights scores teams players standings
`);

/** Words of slugs. */
export const words: readonly string[] = wordsOf(`
  the best new how to for and with guide top free review online home black white blue red green small large set
  women men kids cotton leather wood steel glass paper light dark summer winter spring autumn city house garden
  kitchen bath bedroom office travel food coffee tea wine bread cake salad soup chicken pasta rice fish easy quick
  healthy simple modern classic vintage luxury cheap premium digital smart wireless portable electric solar water
  fire earth air music video photo game phone laptop tablet camera watch headphones speaker keyboard mouse monitor
  cable battery charger case cover stand holder bag shirt dress jacket shoes boots sandals hat gloves socks jeans
  market stock price bank credit card loan tax budget salary career interview resume college school teacher student
  science history art design writing reading running yoga fitness diet sleep stress anxiety heart skin hair baby
  parent family wedding birthday holiday christmas election president senate court police climate energy oil gas
  china japan france germany italy spain canada mexico brazil india london paris york texas california florida
  league match final player coach team season goal score record win loss trade draft injury update report analysis
  annual conference keynote roadmap release notes install tutorial example reference manual error driver server
  cloud database network security python javascript compiler kernel package library framework testing deploy
`);

/** Names of query parameters. */
export const parameters: readonly string[] = wordsOf(`
  page id q sort ref utm_source category lang color size order filter utm_medium s p view session_id from tag limit
  offset price brand type date year month mode action redirect token utm_campaign fbclid gclid replytocom share
  source start query keyword sku variant currency per_page dir cat osCsid print format tab locale return_url step
`);

export const fileEndings: readonly string[] = wordsOf(
  "html php htm aspx jpg pdf png css js xml json gif svg txt doc xls",
);

/** Names of crawlers in user-agent lines. */
export const crawlers: readonly string[] = wordsOf(`
  Googlebot bingbot GPTBot AhrefsBot SemrushBot MJ12bot Baiduspider YandexBot DotBot CCBot ClaudeBot Applebot
  Amazonbot Bytespider PetalBot facebookexternalhit Twitterbot Googlebot-Image Googlebot-News AdsBot-Google
  Mediapartners-Google ia_archiver archive.org_bot 360Spider SeznamBot Slurp DuckDuckBot msnbot rogerbot
  ScreamingFrog BLEXBot SiteAuditBot PerplexityBot Google-Extended anthropic-ai cohere-ai Diffbot ImagesiftBot
  omgili TurnitinBot Wget curl HTTrack WebCopier EmailCollector Zeus TeleportPro
`);
