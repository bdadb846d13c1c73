/** The colours of every page. `npm run generate` writes them into web/ui/palette.css and web/dashboard/themes.css. */
export const PALETTE = {
  light: {
    paper: '#f6f4ee',
    card: '#fffefb',
    code: '#ece9df',
    ink: '#1a1f1c',
    quiet: '#59615c',
    line: '#e0ddd2',
    'strong-line': '#858d87',
    stub: '#0c3b2a',
    'stub-quiet': '#b9d3c5',
    'stub-gold': '#f4d58d',
    'stub-gold-ink': '#0c3b2a',
    accent: '#0b6b42',
    'accent-ink': '#fff',
    'accent-soft': '#e5f2ea',
    gold: '#ad8119',
    'gold-soft': '#fbf1d8',
    'gold-ink': '#5f4607',
    wrong: '#a8201a',
    'wrong-soft': '#fcebe8',
    shadow: '0 1px 2px rgb(26 31 28 / 5%), 0 12px 32px -12px rgb(26 31 28 / 16%)',
  },
  dark: {
    paper: '#101311',
    card: '#191e1b',
    code: '#0b0e0c',
    ink: '#e9ece9',
    quiet: '#a3ada7',
    line: '#2d342f',
    'strong-line': '#6d776f',
    stub: '#11402e',
    accent: '#63d3a0',
    'accent-ink': '#06281a',
    'accent-soft': '#15301f',
    gold: '#e9c66b',
    'gold-soft': '#332a12',
    'gold-ink': '#f4dc9f',
    wrong: '#ff9f95',
    'wrong-soft': '#3a1c19',
    shadow: '0 1px 2px rgb(0 0 0 / 40%), 0 12px 32px -12px rgb(0 0 0 / 60%)',
  },
} as const

/** Writes the colours as CSS custom properties: `--paper: …;`. */
export const properties = (colours: Readonly<Record<string, string>>, separator = ' '): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(separator)
