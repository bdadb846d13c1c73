import { inspect } from 'node:util'

const SHOWN = '[secret]'

/** A value that cannot be printed: logs, JSON, templates and inspection show `[secret]`. */
export interface Hidden<T> {
  readonly reveal: () => T
}

export const hidden = <T>(value: T): Hidden<T> =>
  Object.freeze({ reveal: () => value, toJSON: () => SHOWN, toString: () => SHOWN, [inspect.custom]: () => SHOWN })
