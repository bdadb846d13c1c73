import type { Screen } from './screen.ts'

/** Every screen, in the order of the navigation. A new one is a file in `screens/` and a line here. */
export const SCREENS: readonly Screen[] = [
  { name: '', title: 'Home', load: () => import('./screens/home.tsx') },
  {
    name: 'approvals',
    title: 'Approvals',
    group: 'Payouts',
    permission: 'payout.read',
    load: () => import('./screens/approvals.tsx'),
  },
  {
    name: 'team',
    title: 'Team',
    group: 'Settings',
    permission: 'team.manage',
    load: () => import('./screens/team.tsx'),
  },
  { name: 'profile', title: 'Your profile', load: () => import('./screens/profile.tsx') },
]
