// Compresses and decompresses the bodies in stores: raw deflate (RFC 1951) with a dictionary.
import { deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * The dictionary that compressed bytes refer to. Part of the format: changing one character makes all earlier entries
 * unreadable, so a change comes with a new schema version. The most frequent lines are last, where references are shortest.
 */
const dictionary = Buffer.from(
  `/forum/ /help/ /about/ /contact/ /download/ /assets/ /static/ /media/ /video/ /photos/ /gallery/ /events/ /jobs/ /docs/
/profile/ /members/ /users/ /register /signup /password /order/ /orders/ /basket/ /wishlist/ /compare/ /review/ /print/ /share/
/ajax/ /json/ /rss/ /amp/ /test/ /old/ /new/ /archive/ /news/ /blog/ /shop/ /store/ /products/ /product/ /category/ /categories/
/collections/ /author/ /page/ /pages/ /images/ /img/ /js/ /css/ /en/ /de/ /fr/ .html .php .aspx .jpg .xml
?page= ?id= ?q= ?s= ?filter= ?order= ?ref= ?lang= ?utm_ ?fbclid= ?gclid= &sort= /api/v1/ /wp-json/ /admin/ /*?
Sitemap: https://www.example.com/sitemap_index.xml
Host: www.
Clean-param: utm_source&utm_medium&utm_campaign
Content-Signal: search=yes,ai-train=no
User-agent: Mediapartners-Google
User-agent: AdsBot-Google
User-agent: Googlebot-Image
User-agent: facebookexternalhit
User-agent: meta-externalagent
User-agent: Applebot-Extended
User-agent: Google-Extended
User-agent: PerplexityBot
User-agent: OAI-SearchBot
User-agent: ChatGPT-User
User-agent: anthropic-ai
User-agent: ClaudeBot
User-agent: Claude-Web
User-agent: Bytespider
User-agent: Amazonbot
User-agent: AhrefsBot
User-agent: SemrushBot
User-agent: MJ12bot
User-agent: DotBot
User-agent: PetalBot
User-agent: Baiduspider
User-agent: YandexBot
User-agent: Yandex
User-agent: Slurp
User-agent: bingbot
User-agent: Googlebot
User-agent: CCBot
User-agent: GPTBot
Crawl-delay: 10
Disallow: /checkout/
Disallow: /account/
Disallow: /cgi-bin/
Disallow: /comment/reply/
Disallow: /index.php/
Disallow: /includes/
Disallow: /modules/
Disallow: /profiles/
Disallow: /themes/
Disallow: /plugins/
Disallow: /cache/
Disallow: /private/
Disallow: /login/
Disallow: /user/register
Disallow: /search?
Disallow: /cart
Disallow: /tag/
Disallow: /tmp/
Disallow: /feed/
Disallow: /*.pdf$
Disallow: /*?sort=
Allow: /*.css$
Allow: /*.js$
Allow: /
Disallow: /wp-content/
Disallow: /wp-includes/
Disallow: /wp-login.php
Disallow: /wp-admin/
Allow: /wp-admin/admin-ajax.php
Sitemap: https://
User-agent: *
Disallow: /
Disallow: 
`,
  "latin1",
);

/** A reference of deflate goes back at most 2 ** `windowBits` bytes. */
const windowBits = 13;

/** The compressed bytes, when they are shorter; otherwise the bytes unchanged. */
export function packedOf(bytes: Uint8Array): Uint8Array {
  const size = bytes.byteLength;
  if (size < 8) return bytes;
  // A small window and small tables: for most files, allocating them costs more than compressing.
  const chunkSize = Math.min(16_384, Math.max(256, size));
  const packed = deflateRawSync(bytes, { dictionary, level: 4, windowBits, memLevel: 5, chunkSize });
  return packed.byteLength < size ? packed : bytes;
}

/**
 * The maximum number of bytes that deflate produces from one byte: two bits can encode a match of 258 bytes. `unpackedOf` refuses a larger
 * `size` before it allocates memory.
 */
const mostPerByte = 1_032;

/** Returns the `size` bytes that `packedOf` packed; undefined when `packedOf` cannot have made `packed`. */
export function unpackedOf(packed: Uint8Array, size: number): Uint8Array | undefined {
  if (packed.byteLength === size) return packed;
  if (packed.byteLength > size || packed.byteLength === 0 || size > packed.byteLength * mostPerByte) return undefined;
  try {
    // The limit is for damaged bytes: one byte of deflate can expand to 1,000 bytes.
    const bytes = inflateRawSync(packed, {
      dictionary,
      windowBits,
      maxOutputLength: size + 1,
      chunkSize: Math.max(64, size + 1),
    });
    return bytes.byteLength === size ? bytes : undefined;
  } catch {
    return undefined;
  }
}
