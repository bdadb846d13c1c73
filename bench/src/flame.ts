// A CPU profile as a picture: each box is a function, as wide as the time in it and in all that it called, which stands below it.

/** A profile as V8 takes it: what of it is drawn. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

type Call = Profile['nodes'][number]

interface Box {
  readonly name: string
  readonly kind: Kind
  microseconds: number
  readonly calls: Map<string, Box>
}

const WIDTH = 1_200
const ROW = 17
const HEAD = 52
const DEPTH_MAX = 48
/** What is narrower is left out: nobody could see it. */
const PIXELS_MIN = 0.7
const LETTER = 6.2
const TEXT_PIXELS_MIN = 24

const KINDS = {
  ours: { colour: '#e8a33d', what: 'Kobo' },
  package: { colour: '#7fa7d9', what: 'packages' },
  node: { colour: '#8fbf8f', what: 'Node.js' },
  engine: { colour: '#c9c4bb', what: 'V8: built-in functions, clearing up' },
} as const
type Kind = keyof typeof KINDS

/** It stands for everything. */
const ROOT = '(root)'

/** Nothing was done then, or it was the benchmark itself, which takes the profile. */
const isLeftOut = ({ functionName, url }: Call['callFrame']): boolean =>
  functionName === '(idle)' || url.includes('/bench/src/')

function kindOf(url: string): Kind {
  if (url === '') return 'engine'
  if (url.startsWith('node:')) return 'node'
  return url.includes('/node_modules/') ? 'package' : 'ours'
}

/** Where a function stands, in few words: the package's name, or the path below the folder of the project. */
function placeOf(url: string, line: number): string {
  if (url === '') return ''
  if (url.startsWith('node:')) return url
  const [, ...inPackages] = url.split('/node_modules/')
  const inPackage = /^(?:@[^/]+\/)?[^/]+/.exec(inPackages.at(-1) ?? '')?.[0]
  return inPackage ?? `${/\/((?:gateway|contract|rails)\/.+)$/.exec(url)?.[1] ?? url}:${line + 1}`
}

function boxOf({ callFrame: { functionName, url, lineNumber } }: Call): Box {
  const name = `${functionName === '' ? '(anonymous)' : functionName} ${placeOf(url, lineNumber)}`.trim()
  return { name, kind: kindOf(url), microseconds: 0, calls: new Map() }
}

/** Puts calls together that have the same name below the same caller, with the time of each and of all below it. */
function gather({ nodes, samples, timeDeltas }: Profile): Box {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const own = new Map<number, number>()
  for (const [nth, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[nth] ?? 0))
  const add = (into: Box, id: number): number => {
    const node = byId.get(id)
    if (node === undefined || isLeftOut(node.callFrame)) return 0
    const fresh = boxOf(node)
    const isSeen = node.callFrame.functionName !== ROOT
    const box = isSeen ? (into.calls.get(fresh.name) ?? fresh) : into
    if (isSeen) into.calls.set(fresh.name, box)
    const spent = (node.children ?? []).reduce((sum, child) => sum + add(box, child), own.get(id) ?? 0)
    if (isSeen) box.microseconds += spent
    return spent
  }
  const all: Box = { name: 'all', kind: 'node', microseconds: 0, calls: new Map() }
  const [root] = nodes
  all.microseconds = root === undefined ? 0 : add(all, root.id)
  return all
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

interface Drawn {
  readonly svg: readonly string[]
  readonly depth: number
}

/** The boxes that a function called, the widest first, each with those below it. */
function draw(box: Box, left: number, depth: number, pixelsAMicrosecond: number, total: number): Drawn {
  const svg: string[] = []
  let deepest = depth
  let x = left
  for (const call of [...box.calls.values()].sort((a, b) => b.microseconds - a.microseconds)) {
    const width = call.microseconds * pixelsAMicrosecond
    if (width < PIXELS_MIN || depth >= DEPTH_MAX) break
    const share = ((100 * call.microseconds) / total).toFixed(1)
    const letters = Math.floor((width - 6) / LETTER)
    const label = call.name.length <= letters ? call.name : `${call.name.slice(0, Math.max(letters - 1, 0))}…`
    const y = HEAD + depth * ROW
    svg.push(
      `<g><title>${escaped(call.name)}: ${share} %</title>` +
        `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" rx="2" fill="${KINDS[call.kind].colour}"/>` +
        (width < TEXT_PIXELS_MIN ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(label)}</text>`) +
        '</g>',
    )
    const below = draw(call, x, depth + 1, pixelsAMicrosecond, total)
    svg.push(...below.svg)
    deepest = Math.max(deepest, below.depth)
    x += width
  }
  return { svg, depth: Math.max(deepest, svg.length > 0 ? depth + 1 : depth) }
}

/** A profile as an SVG with a title. Time in which nothing was done is not in it. */
export function flameGraph(profile: Profile, title: string): string {
  const all = gather(profile)
  const { svg, depth } = draw(all, 0, 0, WIDTH / Math.max(all.microseconds, 1), Math.max(all.microseconds, 1))
  const height = HEAD + depth * ROW + 4
  const legend = Object.values(KINDS).map(
    ({ colour, what }, nth) =>
      `<rect x="${8 + nth * 110}" y="30" width="12" height="12" rx="2" fill="${colour}"/><text x="${24 + nth * 110}" y="40">${escaped(what)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="ui-monospace, monospace" font-size="10.5">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="8" y="18" font-size="13">${escaped(title)}</text>`,
    ...legend,
    ...svg,
    '</svg>',
    '',
  ].join('\n')
}
