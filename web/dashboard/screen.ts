import type { OperatorPermission, PersonPermission } from '@kobo/contract'
import type { ComponentType } from 'preact'
import type { Me } from './call.ts'

/** What a screen is given: who looks at it, and what stands in the address. */
export interface ScreenProps {
  readonly me: Me
  /** What stands behind the screen's name: /dashboard/team/ID. */
  readonly id: string | undefined
  readonly query: URLSearchParams
  /** Goes to another address without a reload: `go('/dashboard/team')`. */
  readonly go: (address: string) => void
  /** The screens that are for this person. */
  readonly screens: readonly Screen[]
  /** Asks anew who is signed in, after something about that has changed. */
  readonly refresh: () => Promise<void>
}

/** A screen: one file, loaded when it is first opened. */
export interface Screen {
  /** The first part of its address: /dashboard/NAME; empty for the first screen. */
  readonly name: string
  readonly title: string
  /** Under which heading the navigation shows it; left out where it is reached otherwise. */
  readonly group?: 'Money' | 'Payouts' | 'Developers' | 'Settings' | 'Operator'
  /** Who sees it; everybody who is in where left out. */
  readonly permission?: PersonPermission | OperatorPermission
  readonly environment?: 'sandbox'
  readonly load: () => Promise<{ readonly default: ComponentType<ScreenProps> }>
}

/** Whether a screen is for somebody. */
export const isFor = ({ permission, environment }: Screen, me: Me): boolean =>
  (permission === undefined || me.permissions.includes(permission)) &&
  (environment === undefined || environment === me.environment)
