interface SystemProgram {
  program: string
  /** A module that the program, Python, must have. */
  module?: string
  /** The Debian package that holds it. */
  package: string
}

/** Installs what is missing, or ends this process with a sentence that names it. */
export function installSystemPrograms(wanted: SystemProgram[]): Promise<void>
