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

/** A piece of SQL with its parameters; part of a query, never run alone. */
export interface Fragment {
  readonly [fragment]: true
  readonly strings: readonly string[]
  readonly values: readonly (Parameter | Fragment)[]
}
const fragment = Symbol('a piece of SQL')

/** Writes a piece of SQL: sql`and amount >= ${amount}`. */
export const sql = (strings: TemplateStringsArray, ...values: readonly (Parameter | Fragment)[]): Fragment => ({
  [fragment]: true,
  strings,
  values,
})

/** A piece of SQL from arrays. Pass the same array of strings each time, because it identifies the text. */
export const fragmentOf = (strings: readonly string[], values: readonly Parameter[]): Fragment => ({
  [fragment]: true,
  strings,
  values,
})

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Quoted column or table names. */
export const names = (...list: readonly string[]): Fragment => plain(list.map(quoted).join(', '))

/** A quoted name with its schema. */
export const qualified = (...parts: readonly string[]): Fragment => plain(parts.map(quoted).join('.'))

/** SQL text from our own code. Never pass text from outside. */
export const plain = (text: string): Fragment => ({ [fragment]: true, strings: [text], values: [] })

/** The rows of a query, and how many it returned or changed. */
export type Rows<Row> = Row[] & { readonly count: number }

/** Runs a query whose text is complete. */
export type Run = (text: string, parameters: readonly Parameter[]) => Promise<Rows<never>>

/** Runs a query: db`select … where id = ${id}`. The queries of a transaction run in the order they are sent. */
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
 * How a query is composed. Queries of the same shape share a text that is built once, because building it for each call
 * would cost more than sending it.
 */
interface Shape {
  readonly further: Map<unknown, Shape>
  text: string | undefined
}
const newShape = (): Shape => ({ further: new Map(), text: undefined })
const shapes = newShape()
const PARAMETER = Symbol('a parameter')

function further(shape: Shape, piece: unknown): Shape {
  let next = shape.further.get(piece)
  if (next === undefined) {
    next = newShape()
    shape.further.set(piece, next)
  }
  return next
}

/** The query's text with `$1` and so on, and its values. */
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

/** Walks the pieces, collects the values, and returns the shape. */
function follow(
  from: Shape,
  strings: readonly string[],
  values: readonly (Parameter | Fragment)[],
  parameters: Parameter[],
): Shape {
  // A template literal is the same array on each call, so the array identifies it; a single text identifies itself.
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
