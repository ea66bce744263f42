/**
 * How the operator has started this tool, for sentences that name another command of it: in a clone there is no
 * program `atrium-agent`, and npm tells its scripts their name.
 */
export const invocation = (env: NodeJS.ProcessEnv): string =>
  env.npm_lifecycle_event === 'agent' ? 'npm run agent --' : 'atrium-agent'
