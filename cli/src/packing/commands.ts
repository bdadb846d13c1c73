import { API_COMMANDS } from '../commands/developer/index.ts'

export const CONFIGURATION = 'KOBO_CREDENTIALS names the file with your keys.'

export const COMMANDS = API_COMMANDS
export const COMMAND_GROUPS = { 'For developers': API_COMMANDS }
