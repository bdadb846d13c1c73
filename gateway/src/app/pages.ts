import type { FastifyInstance } from 'fastify'

/** Pages for people. */
export function pageRoutes(_http: FastifyInstance, _deps: { readonly environment: 'sandbox' | 'live'; readonly publicUrl: () => string }): void {}
