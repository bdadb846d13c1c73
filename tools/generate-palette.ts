import { PALETTE, properties } from '../gateway/src/core/edge/pages/index.ts'

const NOTE = '/* Generated from gateway/src/core/edge/pages/palette.ts by `npm run generate`. */'

const rule = (selector: string, scheme: string, colours: Readonly<Record<string, string>>): string => `${selector} {
  color-scheme: ${scheme};
  ${properties(colours, '\n  ')}
}
`
const indented = (css: string): string => css.replaceAll(/^(?=.)/gm, '  ')

/** The palette of every page: light or dark, like the system. */
export const paletteCss = (): string => `${NOTE}
${rule(':root', 'light dark', PALETTE.light)}@media (prefers-color-scheme: dark) {
${indented(rule(':root', 'light dark', PALETTE.dark))}}
`

/** The themes that a dashboard user can choose. */
export const themesCss = (): string =>
  `${NOTE}
${rule(':root[data-theme="light"]', 'light', PALETTE.light)}${rule(':root[data-theme="dark"]', 'dark', PALETTE.dark)}`
