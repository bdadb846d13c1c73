import { inspect } from 'node:util'

const SHOWN = '[secret]'

/** A value that cannot be printed: logs, JSON, templates and inspection show `[secret]`. */
export interface Hidden<T> {
  readonly reveal: () => T
}

const show = (): string => SHOWN

export const hidden = <T>(value: T): Hidden<T> =>
  Object.freeze({ reveal: () => value, toJSON: show, toString: show, [inspect.custom]: show })
