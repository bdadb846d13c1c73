import type { Feature } from '../../core/feature.ts'
import type { Share, SharedLimit } from '../../core/security/limits.ts'
import { sealedSecondFactors } from './encrypted-columns.ts'
import { openSignInGuard } from './guard.ts'
import { dashboardPages } from './pages.ts'
import { openPasswords } from './passwords.ts'
import { profileRoutes, signInRoutes } from './routes.ts'
import type { SignInDeps } from './service.ts'
import { signInSweeps } from './sweeps.ts'

/** Sign-in to the dashboard, and the user's own profile. */
export const signInFeature = {
  encryptedColumns: sealedSecondFactors,
  open: ({
    openSharedLimit,
    ...given
  }: Omit<SignInDeps, 'guard' | 'passwords'> & { readonly openSharedLimit: (share: Share) => SharedLimit }) => {
    const deps: SignInDeps = { ...given, guard: openSignInGuard(openSharedLimit), passwords: openPasswords() }
    return {
      routes: (serve, pages) => {
        dashboardPages(pages, deps.environment)
        signInRoutes(serve, deps)
        profileRoutes(serve, deps)
      },
      sweeps: signInSweeps(deps.core),
    }
  },
} satisfies Feature
