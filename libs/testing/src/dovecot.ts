import { accessSync, constants } from 'node:fs';
import { chmod, chown, mkdir, rename, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort, type LocalServer, startServer } from '@action-platform/local-servers';

/** The user of the mailboxes where this process is root, which Dovecot refuses for mail: nobody of Debian. */
const NOBODY = 65_534;

/** The options of a Dovecot. */
export interface DovecotOptions {
  /** For its configuration, its mailboxes and its log; no other server's. */
  readonly folder: string;
  /** Certificate followed by its private key (PEM). */
  readonly certificate: string;
  /** The password of every login that `logins` does not name, without blanks. */
  readonly password: string;
}

/** The differences of a login. */
interface DovecotLogin {
  readonly password?: string;
  /** The most bytes in its mailbox. */
  readonly quotaBytes?: number;
  /** Its rights to the folder Drafts (RFC 4314); all by default. */
  readonly draftsRights?: string;
  /** Without a folder that the server marks with \Drafts. */
  readonly hasNoDrafts?: boolean;
}

/** A running Dovecot. Every login has a mailbox, which its first sign-in creates. */
export interface Dovecot extends LocalServer {
  /** The port for IMAP in plain text with STARTTLS; `port` is that for TLS. */
  readonly plainPort: number;
  /** Replaces what differs for logins. */
  setLogins(logins: Readonly<Record<string, DovecotLogin>>): Promise<void>;
}

/** The path of Dovecot's program; undefined where this machine has none. */
export function findDovecot(): string | undefined {
  // The PATH of other users than root often does not have the folder of servers.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'dovecot')).find(isExecutable);
}

/**
 * Starts a Dovecot 2.3 with IMAP on 127.0.0.1. Dovecot may run as any user.
 *
 * @throws LocalServerError
 */
export async function startDovecot({ folder, certificate, password }: DovecotOptions): Promise<Dovecot> {
  const program = findDovecot();
  if (program === undefined) throw new Error('This machine has no Dovecot.');
  const [port, plainPort] = [await freePort(), await freePort()];
  const files = filesIn(folder);
  await mkdir(files.mail, { recursive: true });
  await chmod(folder, 0o755);
  const { uid, gid } = mailUser();
  if (process.getuid?.() === 0) await chown(files.mail, uid, gid);
  await writeFile(files.certificate, certificate, { mode: 0o600 });
  const setLogins = async (logins: Readonly<Record<string, DovecotLogin>>) => {
    await replace(files.logins, passwdFile(logins, password));
    await replace(files.rights, rightsFile(logins));
  };
  await setLogins({});
  await writeFile(files.config, configuration(files, password, { port, plainPort }));
  const server = await startServer({
    title: 'Dovecot',
    program,
    args: ['-F', '-c', files.config],
    logFile: join(folder, 'dovecot.log'),
    readyLine: /Dovecot v\S+ .*starting up/,
    explain: (log) => log.findLast((line) => /Fatal|Error/.test(line)),
  });
  return { ...server, url: `imaps://127.0.0.1:${port}`, port, plainPort, setLogins };
}

function filesIn(folder: string) {
  return {
    config: join(folder, 'dovecot.conf'),
    certificate: join(folder, 'certificate.pem'),
    logins: join(folder, 'logins'),
    rights: join(folder, 'rights'),
    mail: join(folder, 'mail'),
    run: join(folder, 'run'),
  };
}

/** Every folder of a mailbox is made at once, so that a test needs no other client to prepare it. */
function configuration(
  { certificate, logins, rights, mail, run }: ReturnType<typeof filesIn>,
  password: string,
  { port, plainPort }: { readonly port: number; readonly plainPort: number },
): string {
  const { uid, gid } = mailUser();
  const isRoot = process.getuid?.() === 0;
  const { username } = userInfo();
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${run}
log_path = /dev/stderr
${isRoot ? '' : `default_internal_user = ${username}\ndefault_login_user = ${username}\ndefault_internal_group =`}
first_valid_uid = 1
mail_location = maildir:~/Maildir
mail_plugins = quota acl
protocol imap {
  mail_plugins = $mail_plugins imap_quota imap_acl
  mail_max_userip_connections = 100
}
plugin {
  quota = count:User quota
  quota_vsizes = yes
  acl = vfile:${rights}
}
ssl = yes
ssl_cert = <${certificate}
ssl_key = <${certificate}
disable_plaintext_auth = no
# A test of refused passwords needs no pause.
auth_failure_delay = 0
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${logins}
}
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = passwd-file
  args = username_format=%u ${logins}
  default_fields = uid=${uid} gid=${gid} home=${mail}/%u
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${mail}/%u
}
namespace inbox {
  inbox = yes
  mailbox Drafts {
    auto = create
    special_use = \\Drafts
  }
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
  mailbox Trash {
    auto = create
    special_use = \\Trash
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${plainPort}
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
service anvil {
  chroot =
  # Nor does the next sign-in after one.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
`;
}

function passwdFile(logins: Readonly<Record<string, DovecotLogin>>, usual: string): string {
  const lines = Object.entries(logins).map(([login, { password = usual, quotaBytes, hasNoDrafts }]) => {
    const quota = quotaBytes === undefined ? '' : ` userdb_quota_rule=*:bytes=${quotaBytes}`;
    const folder = hasNoDrafts ? ' userdb_namespace/inbox/mailbox/Drafts/special_use=\\Junk' : '';
    return `${login}:${password}::::::${quota}${folder}\n`;
  });
  return lines.join('');
}

function rightsFile(logins: Readonly<Record<string, DovecotLogin>>): string {
  const limited = Object.entries(logins).filter(([, { draftsRights }]) => draftsRights !== undefined);
  return limited.map(([login, { draftsRights }]) => `Drafts user=${login} ${draftsRights}\n`).join('');
}

/** Dovecot reads the file again when its time has changed. */
async function replace(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o644 });
  await rename(`${path}.new`, path);
}

function mailUser(): { uid: number; gid: number } {
  const { uid, gid } = userInfo();
  return uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
