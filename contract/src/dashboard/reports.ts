import Type from 'typebox'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'

const Reports = Type.Object({
  dailySettlement: Type.Boolean({
    description:
      'whether you are mailed each morning what was settled the day before: gross, fee, net, bank’s reference',
  }),
})
const OWN = { access: 'person', permission: NO_PERMISSION.ownBooks, person: 'balances.read' } as const

export const getReports = route({
  ...OWN,
  method: 'GET',
  path: '/dashboard/api/reports',
  summary: 'Which reports are mailed to you',
  reply: Reports,
})

export const changeReports = route({
  ...OWN,
  method: 'PUT',
  path: '/dashboard/api/reports',
  summary: 'Choose which reports are mailed to you',
  body: Reports,
  reply: Reports,
})

export const dashboardReports = group({
  title: 'Reports',
  text: 'What is mailed to people of the team, each for themselves.',
  routes: { getReports, changeReports },
  refusals: {},
})
