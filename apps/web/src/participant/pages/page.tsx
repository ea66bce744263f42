import type { ReactNode } from 'react'

/** What every page of a study has around it. */
export function Page({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <>
      <main className="page">{children}</main>
      {aside && <footer className="page-foot">{aside}</footer>}
    </>
  )
}
