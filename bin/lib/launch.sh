# What the launchers share, for any POSIX shell; sourced after jdk.sh, with ORLOJ_ROOT set to the folder
# above bin/.

# Sets APP_JAR to the jar of orlojd or orlojctl. In a source checkout it is built first when it is
# missing or older than its sources.
find_app() {
  if is_checkout; then
    app_is_current "$1" || build_apps "$1" || return 1
  fi
  set_app_jar "$1"
  [ -n "$APP_JAR" ] || {
    echo "$1: '$ORLOJ_ROOT' holds neither lib/$1/$1.jar nor the sources to build it from" >&2
    return 1
  }
}

is_checkout() {
  [ -f "$ORLOJ_ROOT/pom.xml" ]
}

# The jar of an application, installed or built; prints nothing when there is none.
app_jar() {
  (
    set_app_jar "$1"
    if [ -n "$APP_JAR" ]; then printf '%s\n' "$APP_JAR"; fi
  )
}

set_app_jar() {
  if ! is_checkout; then
    set -- "$ORLOJ_ROOT/lib/$1/$1.jar"
  elif [ "$1" = orlojd ]; then
    set -- "$ORLOJ_ROOT"/orlojd/target/orlojd-*-exec.jar
  else
    set -- "$ORLOJ_ROOT/orlojctl/target/dist/orlojctl.jar"
  fi
  APP_JAR=
  if [ -f "$1" ]; then APP_JAR=$1; fi
}

# Folders count as well as files: deleting a source changes the time of its folder.
app_is_current() {
  set_app_jar "$1"
  [ -n "$APP_JAR" ] || return 1
  case $1 in
    orlojctl) modules="api orlojctl" ;;
    *) modules="api runtime controllers orlojd" ;;
  esac
  set -- "$ORLOJ_ROOT/pom.xml"
  for module in $modules; do
    for source in pom.xml src/main; do
      if [ -e "$ORLOJ_ROOT/$module/$source" ]; then set -- "$@" "$ORLOJ_ROOT/$module/$source"; fi
    done
  done
  [ -z "$(find "$@" -newer "$APP_JAR" -print -quit)" ]
}

# Builds both applications, for $1; of several launchers one builds and the others wait for it.
build_apps() {
  mkdir -p "$ORLOJ_ROOT/target"
  build_log=$ORLOJ_ROOT/target/launcher-build.log
  (
    if command -v flock >/dev/null 2>&1; then flock 9; fi
    if app_is_current "$1"; then exit 0; fi
    echo "$1: building it from source; the first time takes a few minutes (log: $build_log)" >&2
    : >"$ORLOJ_ROOT/target/.build-started"
    cd "$ORLOJ_ROOT" || exit 1
    # Java 17 is enough for Maven, but on a machine that has only a JDK 25 there may be no other.
    JAVA_HOME=$JDK_HOME ./mvnw -B -Dquick -pl orlojd,orlojctl -am package \
        >"$build_log" 2>&1 </dev/null 9>&- || {
      echo "$1: the build failed, see '$build_log':" >&2
      { grep '^\[ERROR\]' "$build_log" || tail -n 20 "$build_log"; } | head -n 20 >&2
      exit 1
    }
    # As old as the start of the build, so that a source saved meanwhile counts as newer.
    for built in "$(app_jar orlojd)" "$(app_jar orlojctl)"; do
      [ -z "$built" ] || touch -r "$ORLOJ_ROOT/target/.build-started" "$built"
    done
    build_caches 9>&-
  ) 9>>"$ORLOJ_ROOT/target/.build-lock"
}

# Makes the ahead-of-time caches of what was built, a part of the build: nothing serves yet that they
# could disturb. Orloj runs without them, too.
build_caches() {
  [ "${ORLOJ_AOT:-on}" != off ] || return 0
  for cached_app in orlojctl orlojd; do
    APP_JAR=$(app_jar "$cached_app")
    options="$(jvm_options "$cached_app") ${ORLOJ_JAVA_OPTS:-}"
    cache_now "$cached_app" "$(cache_of "$cached_app" "$options")" "$options" >>"$build_log" 2>&1 ||
        echo "$cached_app: no ahead-of-time cache was made, it will start slower (log: $build_log)" >&2
  done
}

# The options of the JVM that an application gets without being asked.
jvm_options() {
  case $1 in
    # Compiling later than usual: most commands end before it pays.
    orlojctl) echo "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=5 -XX:-UsePerfData -Xmx256m" ;;
    # G1 costs 15 to 35 MB more than the serial collector. It stops calls a third as often, and gives the
    # memory of a peak back: the interval makes it look when nothing is allocated. It marks once three
    # quarters of the heap are full: in a small heap, the threshold that it predicts is below what always
    # lives there, and it would mark without end.
    *) echo "-XX:+UseG1GC -XX:-G1UseAdaptiveIHOP -XX:InitiatingHeapOccupancyPercent=75 -XX:G1PeriodicGCInterval=30000 -Xms64m -Xmx512m -XX:TrimNativeHeapInterval=10000 --enable-native-access=ALL-UNNAMED" ;;
  esac
}

# Replaces this shell by java: `run_app NAME "MORE JVM OPTIONS" ARGUMENT...`. Uses the ahead-of-time cache
# when there is one. With ORLOJ_AOT=only it makes the cache, and starts nothing: nothing else makes one,
# as that takes a second orlojd, with memory and processor time that a service may need.
run_app() {
  app=$1
  # The JVM's own warnings go to stderr: stdout belongs to the application.
  options="$(jvm_options "$1") $2 -Xlog:disable -Xlog:all=warning:stderr ${ORLOJ_JAVA_OPTS:-}"
  shift 2
  cache=
  case ${ORLOJ_AOT:-on} in
    on) known_cache "$app" "$options" || cache=$(cache_of "$app" "$options") ;;
    only) make_cache_now "$app" "$(cache_of "$app" "$options")" "$options" ;;
    off) ;;
    *)
      echo "$app: ORLOJ_AOT is '$ORLOJ_AOT'; give on, off or only" >&2
      exit 2
      ;;
  esac
  if [ -n "$cache" ] && [ -f "$cache/app.aot" ]; then
    archive=$cache/app.aot
    if [ -f "$cache/tables.aot" ] && shows_table "$@"; then
      archive=$cache/tables.aot
    else
      # The open file keeps the cache from being tidied away under a running server.
      exec 9<"$archive"
      flock -n -s 9 || true
    fi
    if [ "$app" = orlojctl ]; then
      set -- -cp "$cache/app/orlojctl.jar" dev.orloj.cli.Main "$@" # reads no manifest, unlike -jar
    else
      set -- -jar "$cache/app/${APP_JAR##*/}" "$@"
    fi
    # A cache that the JVM does not take is not worth a word: it then starts without.
    set -- '-Xlog:aot*=off:stderr' '-Xlog:cds*=off:stderr' -XX:AOTCache="$archive" "$@"
  else
    set -- -jar "$APP_JAR" "$@"
  fi
  # shellcheck disable=SC2086  # options are words
  exec "$JDK_HOME/bin/java" $options "$@"
}

# Whether orlojctl is to show one kind as a table. That needs a quarter of its classes, and has a cache
# with no others, because the JVM takes all classes of a cache.
shows_table() {
  [ "${1:-}" = get ] || return 1
  shift
  kinds=0
  while [ $# -gt 0 ]; do
    case $1 in
      -A | --all-namespaces | --no-headers | --show-labels) ;;
      -n | --namespace | -l | --selector | -s | --server | --context | --kubeconfig)
        [ $# -gt 1 ] || return 1
        shift
        ;;
      -o)
        [ "${2:-}" = wide ] || return 1
        shift
        ;;
      -* | */*) return 1 ;;
      *) kinds=$((kinds + 1)) ;;
    esac
    shift
  done
  [ $kinds = 1 ]
}

set_shared_caches() {
  shared=$ORLOJ_ROOT/lib/aot
  if is_checkout; then shared=$ORLOJ_ROOT/target/aot; fi
  user_caches=${XDG_CACHE_HOME:-${HOME:-}/.cache}
  case $user_caches in /.cache | '') user_caches= ;; *) user_caches=$user_caches/orloj ;; esac
}

# Sets cache to the folder that cache_of would print, without a helper program, if the cache that
# was made last is that of this jar, JDK and options.
known_cache() {
  set_shared_caches
  cache_options "$2"
  for caches in "$shared" "$user_caches"; do
    [ -r "$caches/$1.last" ] || continue
    {
      IFS= read -r last_jar
      IFS= read -r last_jdk
      IFS= read -r last_options
      IFS= read -r cache
    } <"$caches/$1.last" || continue
    if [ "$last_jar" = "$APP_JAR" ] && [ "$last_jdk" = "$JDK_HOME" ] &&
        [ "$last_options" = "$kept_options" ] && [ -f "$cache/app.aot" ] &&
        is_as_old "$APP_JAR" "$cache/app/${APP_JAR##*/}" && is_as_old "$JDK_HOME/release" "$cache/release"; then
      return 0
    fi
  done
  cache=
  return 1
}

is_as_old() {
  [ -f "$2" ] && [ ! "$1" -nt "$2" ] && [ ! "$1" -ot "$2" ]
}

# The folder of the cache for this jar, JDK and options; nothing where it cannot be made. It lies beside
# the program, for all users of it, or else with the user.
cache_of() {
  command -v flock >/dev/null 2>&1 || return 0
  cache_options "$2"
  key=$1-$({
    printf '%s\n' "$APP_JAR" "$kept_options"
    printf '%s\n' "$(stat -L -c '%y %s' "$APP_JAR")"
    cat "$JDK_HOME/release"
  } | cksum | cut -d ' ' -f 1)
  set_shared_caches
  if [ -f "$shared/$key/app.aot" ]; then
    printf '%s\n' "$shared/$key"
  elif [ -w "$(dirname "$shared")" ] && { [ ! -e "$shared" ] || [ -w "$shared" ]; }; then
    printf '%s\n' "$shared/$key"
  elif [ -n "$user_caches" ]; then
    printf '%s\n' "$user_caches/$key"
  fi
}

# Sets kept_options to the options that a cache depends on: not the sizes of memory, the log, or settings.
cache_options() {
  kept_options=
  for cache_option in $1; do
    case $cache_option in
      -Xm[nsx]* | -Xlog* | -Xss* | -D* | -XX:*ExitOnOutOfMemoryError | -XX:*HeapDump*) ;;
      *) kept_options="$kept_options $cache_option" ;;
    esac
  done
}

# Makes the cache in the foreground and exits.
make_cache_now() {
  cache_now "$@" || exit 1
  echo "$1: the cache is in '$2'" >&2
  exit 0
}

cache_now() {
  [ -n "$2" ] && mkdir -p "$2" || {
    echo "$1: no cache can be made: it needs flock and a writable XDG_CACHE_HOME or HOME" >&2
    return 1
  }
  [ ! -f "$2/app.aot" ] || return 0
  (
    export JDK_HOME ORLOJ_ROOT APP_JAR
    "$ORLOJ_ROOT/bin/lib/make-cache" "$1" "$2" "$3" </dev/null >&2 || true
  )
  [ -f "$2/app.aot" ] || {
    echo "$1: the cache in '$2' was not made: see above, or another start is at it" >&2
    return 1
  }
}
