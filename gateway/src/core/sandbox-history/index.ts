export { beginHistory, type History, readHistory, setDone, withoutTimeouts } from './history.ts'
export { type HistoryOptions, openHistoryWriter, type Past } from './history-writer.ts'
