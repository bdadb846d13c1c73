const BAR_WIDTH = 30

/** Shows how far something has come. */
export interface Progress {
  readonly show: (done: number, total: number, note?: string) => void
  /** Takes the bar away. */
  readonly clear: () => void
}

/** A bar that fills up on one line of a terminal: `Proving the books [█████     ]  50 %  1 of 2 merchants, 300 journals`. */
export function progressBar(write: (text: string) => void, label: string, unit: string): Progress {
  let shown = ''
  return {
    show: (done, total, note = '') => {
      const line = `${progressLine(label, unit, done, total)}${note}`
      if (line === shown) return
      write(`\r${line.padEnd(shown.length)}`)
      shown = line
    },
    clear: () => {
      if (shown !== '') write(`\r${' '.repeat(shown.length)}\r`)
      shown = ''
    },
  }
}

function progressLine(label: string, unit: string, done: number, total: number): string {
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.floor(part * BAR_WIDTH)
  const bar = '█'.repeat(filled).padEnd(BAR_WIDTH)
  const percent = String(Math.floor(part * 100)).padStart(3)
  return `${label} [${bar}] ${percent} %  ${done} of ${total} ${unit}`
}

/** Where nobody watches. */
export const NO_PROGRESS: Progress = { show: () => {}, clear: () => {} }
