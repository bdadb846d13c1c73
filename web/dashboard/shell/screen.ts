import type { OperatorPermission, PersonPermission } from '@kobo/contract'
import type { ComponentType } from 'preact'
import type { Me } from '../api/call.ts'

/** A screen's props: the user and the parts of the URL. */
export interface ScreenProps {
  readonly me: Me
  /** The last part of /dashboard/NAME/ID. */
  readonly id: string | undefined
  readonly query: URLSearchParams
  /** Opens another screen without a page load: `go('/dashboard/team')`. */
  readonly go: (address: string) => void
  /** The screens that this user may see. */
  readonly screens: readonly Screen[]
  /** Reloads the signed-in user. */
  readonly refresh: () => Promise<void>
}

/** A screen: one file, loaded when it is first opened. */
export interface Screen {
  /** The first part of its URL: /dashboard/NAME; empty for Home. */
  readonly name: string
  readonly title: string
  /** The navigation heading; without one the screen is not in the navigation. Main has no heading and is never folded. */
  readonly group?: 'Main' | 'Collections' | 'Payouts' | 'Reports' | 'Developers' | 'Settings' | 'Operator'
  /** The name of the screen that this one is part of: current in the navigation, and the way back. */
  readonly parent?: string
  /** The permission needed to see it; none by default. */
  readonly permission?: PersonPermission | OperatorPermission
  readonly environment?: 'sandbox'
  readonly load: () => Promise<{ readonly default: ComponentType<ScreenProps> }>
}

/** Whether the user is a cashier, whose only screen is their till. */
export const isCashier = ({ role }: Me): boolean => role === 'cashier'

/** Whether a user may see a screen. */
export const isVisibleTo = ({ name, permission, environment }: Screen, me: Me): boolean =>
  !(name === '' && isCashier(me)) &&
  (permission === undefined || me.permissions.includes(permission)) &&
  (environment === undefined || environment === me.environment)
