import { ENDPOINTS } from '../sdk/src/endpoints.ts'

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)

/** All that the PHP client knows of the routes. */
export const phpEndpoints = (): string => `<?php
// Made from the contract by \`npm run generate\`. Change the contract instead.
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
