import { ENDPOINTS } from '../sdk/src/endpoints.ts'

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)

/** The routes of the PHP client. */
export const phpEndpoints = (): string => `<?php
// Generated from the contract by \`npm run generate\`. Do not edit; change the contract.
declare(strict_types=1);

return [
${Object.entries(ENDPOINTS)
  .map(
    ([group, endpoints]) => `    '${group}' => [
${Object.entries(endpoints)
  .map(
    ([name, endpoint]) =>
      `        '${name}' => [${Object.entries(endpoint)
        .map(([key, value]) => `'${key}' => ${literal(value)}`)
        .join(', ')}],`,
  )
  .join('\n')}
    ],`,
  )
  .join('\n')}
];
`
