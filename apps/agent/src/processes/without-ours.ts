/** The environment for programs of others, who have no business with our keys. */
export const withoutOurs = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^ATRIUM_/i.test(name)))
