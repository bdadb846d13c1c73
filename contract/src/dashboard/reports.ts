import Type from 'typebox'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'

const Reports = Type.Object({
  dailySettlement: Type.Boolean({
    description: 'daily email with the previous day’s settlements: gross, fee, net, bank reference',
  }),
})
const OWN = { access: 'person', permission: NO_PERMISSION.ownData, person: 'balances.read' } as const

export const getReports = route({
  ...OWN,
  method: 'GET',
  path: '/dashboard/api/reports',
  summary: 'Get your email reports',
  reply: Reports,
})

export const changeReports = route({
  ...OWN,
  method: 'PUT',
  path: '/dashboard/api/reports',
  summary: 'Choose your email reports',
  body: Reports,
  reply: Reports,
})

export const dashboardReports = group({
  title: 'Reports',
  text: 'Email reports, chosen by each team member.',
  routes: { getReports, changeReports },
  refusals: {},
})
