import type { Command } from '../../command.ts'

export const serve: Command = {
  prints: 'no data',
  usage: '',
  summary: 'Starts the gateway, as npm start does',
  run: async () => {
    await import('@kobo/gateway/main.ts')
    return 0
  },
}
