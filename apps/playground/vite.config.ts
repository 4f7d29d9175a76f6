// Builds the page as one HTML file with its script and style inlined, and a content security policy that allows only these two.
import { createHash } from "node:crypto";
import { type Plugin, defineConfig } from "vite";

/** Inlines the bundle as a classic script, because browsers do not load modules from file: URLs. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName.endsWith(".html"));
      const script = files.find((file) => file.type === "chunk");
      const style = files.find((file) => file.fileName.endsWith(".css"));
      if (page?.type !== "asset" || script?.type !== "chunk" || style?.type !== "asset" || files.length !== 3) {
        throw new Error(`the page is not made of one script and one style: ${Object.keys(bundle).join(", ")}`);
      }
      const code = script.code
        .trim()
        .replaceAll("</script", String.raw`<\/script`)
        .replaceAll("<!--", String.raw`<\!--`);
      const css = String(style.source).trim();
      const policy = [
        "default-src 'none'",
        `script-src ${hashOf(code)}`,
        `style-src ${hashOf(css)}`,
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join("; ");
      const html = String(page.source)
        .replace(/\s*<script[^>]*><\/script>/u, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/u, "")
        .replace("<title>", () => `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <title>`)
        .replace("</head>", () => `  <style>${css}</style>\n  </head>`)
        .replace("</body>", () => `  <script>${code}</script>\n  </body>`);
      if (!html.includes(code) || !html.includes(css) || !html.includes(policy))
        throw new Error("the page is incomplete");
      page.source = html;
      delete bundle[script.fileName];
      delete bundle[style.fileName];
    },
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

// oxlint-disable-next-line import/no-default-export -- vite loads it
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  resolve: { conditions: ["@robots-stream/source", "browser", "import", "module", "default"] },
  plugins: [oneFile()],
  server: { host: "127.0.0.1" },
  preview: { host: "127.0.0.1" },
  build: {
    target: "es2023",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { format: "iife" } },
  },
});
