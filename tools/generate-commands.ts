import { COMMAND_GROUPS } from '../cli/src/commands/index.ts'

/** The page about the command line: every command with what may follow it. */
export const commandsPage = (note: string): string => `${note}

# Commands

\`npx kobo COMMAND\` in the checkout, or \`npm run --silent kobo -- COMMAND\`. \`COMMAND --help\` explains each, and with \`--json\` all that prints data prints JSON; commands for merchants' developers also work against a gateway elsewhere, with its address and keys.

${Object.entries(COMMAND_GROUPS)
  .map(
    ([title, commands]) => `## ${title}

| command | does |
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
