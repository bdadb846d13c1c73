import type { Feature } from '../../core/feature.ts'
import type { Share, SharedLimit } from '../../core/security/limits.ts'
import { sealedColumn } from '../../core/security/sealed-column.ts'
import { signOns } from '../../core/sessions/index.ts'
import { DELETION_SECONDS } from '../../core/sweep.ts'
import { deleteAttempts } from './repository.ts'
import { signOnRoutes } from './routes.ts'
import { type SignOnDeps, secretContext } from './service.ts'

/**
 * The limit of started sign-ons. Passkey challenges have the same limit: both are stored for callers who are not signed
 * in.
 */
const STARTED: Share = { name: 'sign-ons of network', max: 100, seconds: 600 }

/** Sign-on through a team's identity provider. */
export const signOnFeature = {
  encryptedColumns: [sealedColumn('records', signOns, 'clientSecret', secretContext)],
  open: ({
    openSharedLimit,
    ...given
  }: Omit<SignOnDeps, 'started'> & { readonly openSharedLimit: (share: Share) => SharedLimit }) => {
    const deps: SignOnDeps = { ...given, started: openSharedLimit(STARTED) }
    const { db, wall } = deps.core
    return {
      routes: (serve) => signOnRoutes(serve, deps),
      sweeps: [
        {
          name: 'forget sign-ons',
          everySeconds: DELETION_SECONDS,
          run: (_, limit) => deleteAttempts(db, wall.now(), limit),
        },
      ],
    }
  },
} satisfies Feature
