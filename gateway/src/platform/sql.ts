/** A value that goes along with a statement. */
export type Parameter =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Buffer
  | null
  | undefined
  | readonly (string | null)[]

/** A piece of SQL with its parameters: it runs as part of a statement, never by itself. */
export interface Fragment {
  readonly [fragment]: true
  readonly strings: readonly string[]
  readonly values: readonly (Parameter | Fragment)[]
}
const fragment = Symbol('a piece of SQL')

/** Writes a piece of SQL: sql`and amount >= ${amount}`, to be put into a statement. */
export const sql = (strings: TemplateStringsArray, ...values: readonly (Parameter | Fragment)[]): Fragment => ({
  [fragment]: true,
  strings,
  values,
})

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Names of columns or tables, quoted, as a piece of SQL. */
export const names = (...list: readonly string[]): Fragment => plain(list.map(quoted).join(', '))

/** A name behind that of its schema, quoted, as a piece of SQL. */
export const qualified = (...parts: readonly string[]): Fragment => plain(parts.map(quoted).join('.'))

/** Text that our own code made of names of columns, as a piece of SQL. Never of anything that came from outside. */
export const plain = (text: string): Fragment => ({ [fragment]: true, strings: [text], values: [] })

/** The rows of a statement, and how many it returned or changed. */
export type Rows<Row> = Row[] & { readonly count: number }

/** Runs a finished statement. */
export type Run = (text: string, parameters: readonly Parameter[]) => Promise<Rows<never>>

/** Runs a statement at once: db`select … where id = ${id}`. Statements run in the order in which they are written. */
export type Sql = <Returned extends readonly object[] = Record<string, unknown>[]>(
  strings: TemplateStringsArray,
  ...values: readonly (Parameter | Fragment)[]
) => Promise<Rows<Returned[number]>>

export const sqlTag = (run: Run): Sql =>
  ((strings: TemplateStringsArray, ...values: readonly (Parameter | Fragment)[]) => {
    const { text, parameters } = compile(strings, values)
    return run(text, parameters)
  }) as Sql

const isFragment = (value: Parameter | Fragment): value is Fragment =>
  typeof value === 'object' && value !== null && fragment in value

/**
 * How a statement is put together: of which pieces, in which order. A statement of one shape has one text, which is made
 * once: it is long, and made anew for each call it would cost more than to send it.
 */
interface Shape {
  readonly further: Map<unknown, Shape>
  text: string | undefined
}
const newShape = (): Shape => ({ further: new Map(), text: undefined })
const shapes = newShape()
const PARAMETER = Symbol('a parameter stands here')

function further(shape: Shape, piece: unknown): Shape {
  let next = shape.further.get(piece)
  if (next === undefined) {
    next = newShape()
    shape.further.set(piece, next)
  }
  return next
}

/** The text with `$1` and so on in place of the values, and the values. */
function compile(strings: readonly string[], values: readonly (Parameter | Fragment)[]): Compiled {
  const parameters: Parameter[] = []
  const shape = follow(shapes, strings, values, parameters)
  shape.text ??= textOf(strings, values, { count: 0 })
  return { text: shape.text, parameters }
}

interface Compiled {
  readonly text: string
  readonly parameters: readonly Parameter[]
}

/** Goes from piece to piece, gathers the values on the way, and answers the shape at the end. */
function follow(
  from: Shape,
  strings: readonly string[],
  values: readonly (Parameter | Fragment)[],
  parameters: Parameter[],
): Shape {
  // A template is the same array at each call; a piece of one text is known by that.
  let shape = further(from, strings.length === 1 ? strings[0] : strings)
  for (const value of values) {
    if (isFragment(value)) shape = follow(shape, value.strings, value.values, parameters)
    else {
      parameters.push(value)
      shape = further(shape, PARAMETER)
    }
  }
  return shape
}

function textOf(
  strings: readonly string[],
  values: readonly (Parameter | Fragment)[],
  parameters: { count: number },
): string {
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) {
    text += isFragment(value) ? textOf(value.strings, value.values, parameters) : `$${++parameters.count}`
    text += strings[index + 1] ?? ''
  }
  return text
}
