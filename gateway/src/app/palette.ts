/** The colours of the pages that stand by themselves, by day and by night. The payer's pages have theirs in web/ui. */
export const PALETTE = {
  light: {
    paper: '#fbfaf7',
    card: '#fff',
    ink: '#1c1f1d',
    quiet: '#5a625d',
    line: '#e3e1d9',
    accent: '#0b6b42',
    code: '#f3f1ea',
    badge: '#f4e3b5',
    'badge-ink': '#5c4406',
  },
  dark: {
    paper: '#121513',
    card: '#191d1a',
    ink: '#e8ebe8',
    quiet: '#a0aaa4',
    line: '#2c332e',
    accent: '#63d3a0',
    code: '#0d100e',
    badge: '#4a3a10',
    'badge-ink': '#f6dd9c',
  },
} as const

/** The same as custom properties of CSS: `--paper: …;`. */
export const properties = (colours: Readonly<Record<string, string>>): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ')
