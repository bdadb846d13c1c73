import type { JSX } from 'preact'
import type { Messages } from '../../ui/messages/en.ts'
import type { Actions } from '../actions.ts'
import type { Model } from '../model.ts'

/** What every part of the page is made from: what is so, what can be done, and the words for both. */
export interface Shown {
  readonly model: Model
  readonly actions: Actions
  readonly words: Messages
}

export type View = (shown: Shown) => JSX.Element | null
