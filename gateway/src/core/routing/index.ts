export { type Enquiries, openEnquiries } from './enquiries.ts'
export { openHealth } from './health.ts'
export { inRailSpan } from './rail-span.ts'
export { openReports, type PartnerReport, selectReports } from './reports.ts'
export { findTable, type RoutingTableRow, selectTables } from './repository.ts'
export { openRouter, type Router, type ToRoute } from './router.ts'
export {
  capabilityOf,
  isRouted,
  partnersIn,
  ROUTED_OPERATIONS,
  type RoutedOperation,
  type RoutingTable,
  type Ways,
  waysOf,
  whyNoTable,
} from './table.ts'
export { openRoutingTables, RoutingError, type RoutingTables, setTable } from './tables.ts'
