import type { JSX } from 'preact'
import type { Messages } from '../../ui/messages/en.ts'
import type { Actions } from '../actions.ts'
import type { Model } from '../model.ts'

/** The props of every view: state, actions and texts. */
export interface Shown {
  readonly model: Model
  readonly actions: Actions
  readonly words: Messages
}

export type View = (shown: Shown) => JSX.Element | null
