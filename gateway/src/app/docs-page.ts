import { PALETTE } from './palette.ts'

const { light, dark } = PALETTE

/** The part of the reference viewer's configuration that we set. It asks no other host for anything. */
const CONFIGURATION = {
  url: '/openapi.json',
  agent: { disabled: true },
  customCss: `
.light-mode { --scalar-color-accent: ${light.accent}; --scalar-background-accent: ${light.accent}1a; }
.dark-mode { --scalar-color-accent: ${dark.accent}; --scalar-background-accent: ${dark.accent}1f; }
`,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hideClientButton: true,
  mcp: { disabled: true },
  orderSchemaPropertiesBy: 'preserve',
  persistAuth: false,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
}

/** The page's only inline script: its Content-Security-Policy names its hash. */
export const DOCS_SCRIPT = `Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)})`

/** The page at `/docs`, around the viewer's script at this address. */
export const docsPage = (scriptUrl: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Kobo API reference</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. The same reference for tools is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="${scriptUrl}"></script>
<script>${DOCS_SCRIPT}</script>
</body>
</html>
`
