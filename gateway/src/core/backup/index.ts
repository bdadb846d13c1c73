export { type BackupOptions, isEmpty, loadBackup, makeBackup } from './backup.ts'
export type { Manifest } from './manifest.ts'
