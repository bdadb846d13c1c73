type Moves<State extends string> = Readonly<Partial<Record<string, State>>>

/** A state machine is a table: state, trigger, next state. A move into a state that does not exist does not compile. */
export const machine = <const Table extends Readonly<Record<string, Moves<Extract<keyof Table, string>>>>>(
  table: Table,
): Table => table

/** Every trigger that a machine knows. */
export type Trigger<Table> = { [State in keyof Table]: keyof Table[State] }[keyof Table] & string

/** The state that a trigger leads to, or undefined where the table has no such move. */
export const next = <Table extends Readonly<Record<string, Moves<string>>>>(
  table: Table,
  state: keyof Table & string,
  trigger: Trigger<Table>,
): (keyof Table & string) | undefined => table[state]?.[trigger]
