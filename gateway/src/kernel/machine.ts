type Moves<State extends string> = Readonly<Partial<Record<string, State>>>

/** Declares a state machine as a table: state, trigger, next state. An undeclared next state does not compile. */
export const machine = <const Table extends Readonly<Record<string, Moves<Extract<keyof Table, string>>>>>(
  table: Table,
): Table => table

export type Trigger<Table> = { [State in keyof Table]: keyof Table[State] }[keyof Table] & string

/** Returns the next state, or undefined if the table has no such transition. */
export const next = <Table extends Readonly<Record<string, Moves<string>>>>(
  table: Table,
  state: keyof Table & string,
  trigger: Trigger<Table>,
): (keyof Table & string) | undefined => table[state]?.[trigger]
