export { openRoutingTable, RoutingError, setTable } from './current-table.ts'
export { type Enquiries, openEnquiries } from './enquiries.ts'
export { openHealth } from './health.ts'
export { inRailSpan } from './rail-span.ts'
export { openReports, type PartnerReport, selectReports } from './reports.ts'
export { findTable, type RoutingTableRow, selectTables } from './repository.ts'
export { openRouter, type Router, type RoutingFacts } from './router.ts'
export {
  isRouted,
  partnersFor,
  partnersIn,
  ROUTED_OPERATIONS,
  type RoutingResult,
  type RoutingTable,
  whyInvalidTable,
} from './rules.ts'
