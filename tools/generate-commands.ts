import { COMMAND_GROUPS } from '../cli/src/commands/index.ts'

/** The page of all commands with their arguments. */
export const commandsPage = (note: string): string => `${note}

# Commands

Run \`./kobo COMMAND\` in your clone. \`COMMAND --help\` explains a command, and \`--json\` prints data as JSON. Commands for developers also work with a remote gateway, given its URL and API keys.

${Object.entries(COMMAND_GROUPS)
  .map(
    ([title, commands]) => `## ${title}

| command | description |
|---|---|
${Object.entries(commands)
  .map(
    ([words, { summary, usage }]) =>
      `| \`${`${words} ${usage}`.trim().replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')}\` | ${summary.replaceAll('|', '\\|')} |`,
  )
  .join('\n')}`,
  )
  .join('\n\n')}
`
