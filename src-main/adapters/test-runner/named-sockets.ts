type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that lead to a service of the person's session: never passed on, whatever the project names. */
const SESSION_VARIABLES: ReadonlySet<string> = new Set([
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'GNOME_KEYRING_CONTROL', 'KEYRING_CONTROL'],
  ...['DBUS_SESSION_BUS_ADDRESS', 'DBUS_SYSTEM_BUS_ADDRESS', 'DBUS_STARTER_ADDRESS', 'AT_SPI_BUS_ADDRESS'],
  ...['DOCKER_HOST', 'CONTAINER_HOST', 'PODMAN_HOST', 'BUILDKIT_HOST', 'CONTAINERD_ADDRESS'],
  ...['WAYLAND_DISPLAY', 'WAYLAND_SOCKET', 'DISPLAY', 'XAUTHORITY', 'SESSION_MANAGER', 'ICEAUTHORITY'],
  ...['PULSE_SERVER', 'PULSE_COOKIE', 'PIPEWIRE_REMOTE', 'NOTIFY_SOCKET', 'LISTEN_FDS', 'LISTEN_PID'],
  ...['TMUX', 'STY', 'SWAYSOCK', 'I3SOCK', 'HYPRLAND_INSTANCE_SIGNATURE', 'KITTY_LISTEN_ON'],
  ...['VSCODE_IPC_HOOK_CLI', 'VSCODE_GIT_IPC_HANDLE', 'GIT_ASKPASS', 'SSH_ASKPASS', 'SUDO_ASKPASS'],
  ...['XDG_RUNTIME_DIR', 'NVIM', 'NVIM_LISTEN_ADDRESS', 'EMACS_SOCKET_NAME', 'LIBVIRT_DEFAULT_URI'],
]);

/** Variables whose value is a folder or file of credentials; hidden when they lie outside HOME. */
const CREDENTIAL_VARIABLES = [
  ...['GNUPGHOME', 'PASSWORD_STORE_DIR', 'NETRC', 'KUBECONFIG', 'DOCKER_CONFIG', 'REGISTRY_AUTH_FILE'],
  ...['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'AZURE_CONFIG_DIR', 'CLOUDSDK_CONFIG'],
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'CLAUDE_CONFIG_DIR', 'XAUTHORITY', 'ICEAUTHORITY', 'PULSE_COOKIE'],
  ...[
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'XDG_STATE_HOME',
    'XDG_CACHE_HOME',
    'PGPASSFILE',
    'NPM_CONFIG_USERCONFIG',
  ],
] as const;

/** Credential files below HOME that a folder of `sandbox_read` may hold; relative to HOME. */
export const CREDENTIAL_FILES = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.claude', '.claude.json', '.password-store'],
  ...['.config/gcloud', '.config/gh', '.config/hub', '.netrc', '.npmrc', '.yarnrc.yml', '.pypirc', '.pgpass'],
  ...['.git-credentials', '.config/git/credentials', '.cargo/credentials', '.cargo/credentials.toml'],
  ...['.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties', '.gem/credentials'],
  ...['.local/share/keyrings', '.mozilla', '.config/google-chrome', '.config/chromium', '.terraform.d'],
] as const;

/** Absolute paths in a value: alone, in a URL or a D-Bus address (`unix:path=/run/bus,guid=…`), or in a list. */
export function pathsInValue(value: string): readonly string[] {
  const whole = value.startsWith('/') ? [value] : [];
  const parts = value
    .split(/[,;=\s]|(?<=[a-z]):(?=\/)|:(?=\/)|(?<=:)\/\/(?=\/)/)
    .filter((part) => /^\/[^/]/.test(part))
    .map((part) => part.replace(/^\/+/, '/'));
  const url = /^(?:unix|http\+unix|npipe|vscode-ipc):\/\/(\/[^,;\s]+)/.exec(value)?.[1];
  return [...new Set([...whole, ...parts, ...(url === undefined ? [] : [url])])];
}

/**
 * Everything that could be a path socket by the environment alone. Which of them are sockets, the caller asks
 * the disk.
 *
 * @param environment the hub's own, whole: a socket is hidden whether or not its variable is passed on
 */
export function socketCandidates(environment: Environment): readonly string[] {
  const candidates: string[] = [];
  for (const value of Object.values(environment)) {
    if (value !== undefined && value.length <= 32_768) candidates.push(...pathsInValue(value));
  }
  const runtime = environment['XDG_RUNTIME_DIR'];
  if (runtime !== undefined && runtime.startsWith('/')) {
    // These name a file in the runtime folder, not a path.
    for (const name of ['WAYLAND_DISPLAY', 'PIPEWIRE_REMOTE'] as const) {
      const value = environment[name];
      if (value !== undefined && value !== '' && !value.startsWith('/'))
        candidates.push(`${runtime}/${value}`);
    }
  }
  const display = /^(?:unix)?:(\d+)/.exec(environment['DISPLAY'] ?? '')?.[1];
  if (display !== undefined) candidates.push(`/tmp/.X11-unix/X${display}`);
  return [...new Set(candidates)];
}

/** Folders and files of credentials that the environment names, absolute. */
export function credentialCandidates(environment: Environment): readonly string[] {
  return CREDENTIAL_VARIABLES.flatMap((name) => {
    const value = environment[name];
    if (value === undefined) return [];
    return value.split(':').filter((part) => part.startsWith('/'));
  });
}

/**
 * The command's environment without what leads to the person's session.
 *
 * @param hidden paths that the sandbox hides: a variable that names one is dropped too
 */
export function withoutSockets(
  environment: Readonly<Record<string, string>>,
  hidden: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) =>
        name === 'PATH' ||
        (!SESSION_VARIABLES.has(name.toUpperCase()) && !pathsInValue(value).some((path) => hidden.has(path))),
    ),
  );
}

/**
 * Paths of the sockets that the system lists in `/proc/net/unix` (proc(5): the eighth column is the path; `@`
 * begins an abstract name, which the network namespace already keeps away).
 */
export function parseUnixSockets(text: string): readonly string[] {
  const paths = new Set<string>();
  for (const line of text.split('\n').slice(1)) {
    const path = /^\S+: \S+ \S+ \S+ \S+ \S+ +\d+ (\/.+)$/.exec(line)?.[1];
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}
