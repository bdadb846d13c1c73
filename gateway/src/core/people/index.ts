export { type Erased, erasePerson, StillOpen } from './erase.ts'
export { ERASED_CARD, type Identifiers, type Person, personOf } from './person.ts'
export { type AllTraces, idList, type Slice, type Trace, type Traces, type TracesOfTransactions } from './traces.ts'
