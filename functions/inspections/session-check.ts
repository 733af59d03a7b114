import type { Inspection } from "../contract/inspections/inspection.ts";
import type { SessionSettings } from "../contract/sessions/session.ts";

/** What the control is called that signs a visitor out, in the languages that most sites are written in. */
const SIGN_OUT = new Set(
  "sign out|log out|logout|signout|sign off|log off|abmelden|ausloggen|se déconnecter|déconnexion|cerrar sesión|salir|esci|disconnetti|sair|terminar sessão|uitloggen|afmelden|logga ut|log ud|logg ut|kirjaudu ulos|wyloguj|wyloguj się|odhlásit|odhlásit se|odhlásiť sa|kijelentkezés|deconectare|выйти|выход|вийти|çıkış|çıkış yap|αποσύνδεση|تسجيل الخروج|התנתק|ログアウト|로그아웃|退出|退出登录|登出|đăng xuất|ออกจากระบบ|keluar".split(
    "|",
  ),
);

/**
 * What only a signed-in visitor sees on a page: the control that signs out, if the page shows one.
 * @param map that of an inspection that has begun signed in
 */
export function sessionCheckOf({ map }: Pick<Inspection, "map">): SessionSettings["check"] | undefined {
  const texts = (map?.elements ?? []).map(([, , , , , , text]) => String(text).trim());
  const text = texts.find((each) => SIGN_OUT.has(each.toLowerCase()));
  return text === undefined ? undefined : { text };
}
