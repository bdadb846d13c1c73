const BAR_WIDTH = 30

export interface Progress {
  readonly show: (done: number, total: number, note?: string) => void
  readonly clear: () => void
}

/** A bar on one terminal line: `Verifying the ledger [█████ ] 50 % 1 of 2 merchants, 300 journals`. */
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

/** Shows nothing: for output without a terminal. */
export const NO_PROGRESS: Progress = { show: () => {}, clear: () => {} }
