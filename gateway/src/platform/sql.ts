/** A value that goes along with a statement. */
export type Parameter = string | number | bigint | boolean | Date | Buffer | null | undefined | readonly string[]

/** Names of columns or tables that stand in a statement, quoted. */
class Identifiers {
  readonly names: readonly string[]
  constructor(names: readonly string[]) {
    this.names = names
  }
}

/** The rows of a statement, and how many it returned or changed. */
export type Rows<Row> = Row[] & { readonly count: number }

/** Runs a finished statement. */
export type Run = (text: string, parameters: readonly Parameter[]) => Promise<Rows<never>>

/**
 * A piece of SQL with its parameters. Inside another it is a part of it; awaited, it runs. Like a promise it runs at once
 * when `then` is called and only once, so several can be sent together with `Promise.all`.
 */
export class Statement<Row> implements Promise<Rows<Row>> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly #run: Run
  #running: Promise<Rows<Row>> | undefined

  constructor(strings: readonly string[], values: readonly unknown[], run: Run) {
    this.strings = strings
    this.values = values
    this.#run = run
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a statement is what runs it
  then<A, B>(
    onRows?: ((rows: Rows<Row>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#running ??= this.#start()
    return this.#running.then(onRows, onError) as Promise<A | B>
  }

  catch<B>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Rows<Row> | B> {
    return this.then(undefined, onError) as Promise<Rows<Row> | B>
  }

  finally(onSettled?: (() => void) | null): Promise<Rows<Row>> {
    this.#running ??= this.#start()
    return this.#running.finally(onSettled)
  }

  #start(): Promise<Rows<Row>> {
    const { text, parameters } = compile(this)
    return this.#run(text, parameters) as Promise<Rows<Row>>
  }
}

/** Writes statements: db`select … where id = ${id}`, with names as db('table') and other statements as parts. */
export interface Sql {
  <Returned extends readonly object[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Statement<Returned[number]>
  (names: string | readonly string[]): Identifiers
}

export const sqlTag = (run: Run): Sql =>
  ((first: TemplateStringsArray | string | readonly string[], ...values: readonly unknown[]) => {
    if (typeof first === 'string') return new Identifiers([first])
    return 'raw' in first ? new Statement(first, values, run) : new Identifiers(first)
  }) as Sql

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The text with `$1` and so on in place of the values, and the values. */
function compile(statement: Statement<unknown>): { text: string; parameters: Parameter[] } {
  const parameters: Parameter[] = []
  const write = ({ strings, values }: Statement<unknown>): string => {
    let text = strings[0] ?? ''
    values.forEach((value, index) => {
      if (value instanceof Statement) text += write(value)
      else if (value instanceof Identifiers) text += value.names.map(quoted).join(', ')
      else text += `$${parameters.push(value as Parameter)}`
      text += strings[index + 1] ?? ''
    })
    return text
  }
  return { text: write(statement), parameters }
}
