#!/bin/bash
# Builds the libraries that the program needs for another machine than this, from the sources of
# this system's own packages, so that they are the versions that the program has here:
#
#   CC=… CXX=… AR=… [OPTIMIZE=-Os] app/libraries.sh FOLDER [HOST]
#
# FOLDER gets include/, lib/ and lib/pkgconfig/; nothing is done if this script has built them with
# the same compilers before. HOST is a machine with windows, named as for configure scripts: SDL is
# built whole. Without HOST, only the part of SDL that SDL_ttf needs is built.
set -euo pipefail
. "$(dirname "$0")/packages.sh"
has_debian_sources
mkdir -p "$1"
folder=$(cd "$1" && pwd) host=${2:-} optimize=${OPTIMIZE:--O2}
settings=$(printf '%s\n' "$CC" "$CXX" "$AR" "$optimize" "$host" && cksum <"$0")
if cmp -s "$folder/done" - <<<"$settings"; then
    exit
fi
rm -rf "$folder/done" "$folder/include" "$folder/lib"
work=$folder/work cores=$(nproc)
packages="libyaml jansson utf8proc pcre2 libdeflate freetype harfbuzz libsdl2 libsdl2-ttf"
mkdir -p "$work/lists/partial" "$folder/include" "$folder/lib/pkgconfig"

# The mirrors that the system has its packages from have their sources, too; what is known of
# them stays in here, so that nobody needs to be root.
apt-get indextargets --format 'deb-src [signed-by=$(SIGNED_BY)] $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Component: main' | sed 's/ \[signed-by=\(\$.*\)*\]//' |
    sort -u | grep . >"$work/sources.list"
fetch() {
    apt-get -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$work/lists" -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= \
        -o APT::Sandbox::User= -o APT::Get::Only-Source=true "$@"
}
cd "$work"
if ! cmp -s fetched - <<<"$packages"; then
    fetch update
    # A mirror may lack the sources of a security update; those of the release are used instead.
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    for package in $packages; do
        fetch --download-only source "$package" ||
            fetch --download-only source "$package/$release"
    done
    echo "$packages" >fetched
fi
for package in $packages; do
    rm -rf "$package"
    dpkg-source --no-check -x "$package"_*.dsc "$package"
done

# library NAME COMPILER OPTION…: compiles the sources among the options, without warnings, because
# they are third-party code.
library() {
    rm -f ./*.o
    library=$folder/lib/lib$1.a
    shift
    "$@" "$optimize" -ffp-contract=off -w -c
    $AR rcs "$library" ./*.o
}

cd "$work/libyaml"
library yaml $CC -Iinclude -DYAML_DECLARE_STATIC -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 \
    -DYAML_VERSION_PATCH=5 -DYAML_VERSION_STRING='"0.2.5"' src/*.c
cp include/yaml.h "$folder/include/"

cd "$work/utf8proc"
library utf8proc $CC -DUTF8PROC_STATIC utf8proc.c
cp utf8proc.h "$folder/include/"

# One of its functions is called as one of the program's own.
cd "$work/jansson"
: >android/jansson_private_config.h # the options below say it
sed -i '/define v*snprintf *_/d' src/jansson_private.h # Windows' own round otherwise
library jansson $CC -Iandroid -Isrc -DHAVE_STDINT_H -DHAVE_UNISTD_H \
    -DHAVE_FCNTL_H -DHAVE_SYS_TYPES_H -DHAVE_SYS_TIME_H -DHAVE_GETTIMEOFDAY \
    -Dutf8_encode=jansson_utf8_encode src/*.c
cp android/jansson_config.h src/jansson.h "$folder/include/"

# Without PCRE2's JIT compiler, because a match it has compiled doesn't count its steps.
cd "$work/pcre2"
cp src/config.h.generic src/config.h
cp src/pcre2.h.generic src/pcre2.h
cp src/pcre2_chartables.c.dist src/pcre2_chartables.c
sources=
for part in auto_possess chartables compile config context error extuni find_bracket match \
    match_data newline ord2utf pattern_info script_run string_utils study substring tables ucd \
    valid_utf xclass; do
    sources="$sources src/pcre2_$part.c"
done
library pcre2-8 $CC -Isrc -DHAVE_CONFIG_H -DPCRE2_STATIC -DPCRE2_CODE_UNIT_WIDTH=8 \
    -DSUPPORT_UNICODE -DHAVE_MEMMOVE $sources
cp src/pcre2.h "$folder/include/"

cd "$work/libdeflate"
library deflate $CC -I. lib/deflate_compress.c lib/deflate_decompress.c \
    lib/zlib_compress.c lib/zlib_decompress.c lib/gzip_compress.c lib/gzip_decompress.c \
    lib/adler32.c lib/crc32.c lib/utils.c lib/x86/cpu_features.c
cp libdeflate.h "$folder/include/"

# The kinds of fonts that the program comes with, and how it draws them.
cat >"$work/modules.h" <<'END'
FT_USE_MODULE( FT_Module_Class, autofit_module_class )
FT_USE_MODULE( FT_Driver_ClassRec, tt_driver_class )
FT_USE_MODULE( FT_Driver_ClassRec, cff_driver_class )
FT_USE_MODULE( FT_Module_Class, psaux_module_class )
FT_USE_MODULE( FT_Module_Class, psnames_module_class )
FT_USE_MODULE( FT_Module_Class, pshinter_module_class )
FT_USE_MODULE( FT_Module_Class, sfnt_module_class )
FT_USE_MODULE( FT_Renderer_Class, ft_smooth_renderer_class )
END
cd "$work/freetype"
sed -i '/define *FT_CONFIG_OPTION_USE_\(ZLIB\|LZW\)/d' include/freetype/config/ftoption.h
# Curves are flattened as on x86-64: the other way is a level off at some letters' edges.
sed -i 's/define BEZIER_USE_DDA  0/define BEZIER_USE_DDA  1/' src/smooth/ftgrays.c
library freetype $CC -Iinclude -DFT2_BUILD_LIBRARY \
    -DFT_CONFIG_MODULES_H="\"$work/modules.h\"" src/base/ftsystem.c src/base/ftinit.c \
    src/base/ftdebug.c src/base/ftbase.c src/base/ftbitmap.c src/base/ftglyph.c \
    src/base/ftmm.c src/base/ftstroke.c src/autofit/autofit.c src/truetype/truetype.c src/cff/cff.c src/psaux/psaux.c \
    src/psnames/psnames.c src/pshinter/pshinter.c src/sfnt/sfnt.c src/smooth/smooth.c
mkdir -p "$folder/include/freetype2"
cp -R include/. "$folder/include/freetype2/"

cd "$work/harfbuzz"
library harfbuzz $CXX -fno-exceptions -fno-rtti -fno-threadsafe-statics -DHAVE_FREETYPE=1 \
    -I"$folder/include/freetype2" -Isrc src/harfbuzz.cc
mkdir -p "$folder/include/harfbuzz"
cp src/hb*.h "$folder/include/harfbuzz/"

cd "$work/libsdl2"
if [ -n "$host" ]; then
    AR_FLAGS=cr ./configure --quiet --host="$host" --prefix="$folder" --disable-shared --disable-audio \
        --disable-joystick --disable-haptic --disable-sensor --disable-hidapi --disable-render-d3d \
        --disable-video-opengl --disable-video-opengles --disable-video-vulkan
    make -s -j"$cores"
    make -s install
else
    cd src
    library SDL2 $CC -I../include -I. SDL_error.c SDL_hints.c SDL_list.c SDL_log.c atomic/*.c \
        cpuinfo/*.c file/*.c stdlib/*.c thread/*.c thread/generic/*.c timer/unix/*.c \
        video/SDL_RLEaccel.c video/SDL_blit*.c video/SDL_fillrect.c video/SDL_pixels.c \
        video/SDL_rect.c video/SDL_stretch.c video/SDL_surface.c video/SDL_yuv.c video/yuv2rgb/*.c
    mkdir -p "$folder/include/SDL2"
    cp ../include/*.h "$folder/include/SDL2/"
fi

cd "$work/libsdl2-ttf"
library SDL2_ttf $CC -DTTF_USE_HARFBUZZ=1 -I"$folder/include/SDL2" -I"$folder/include/freetype2" \
    -I"$folder/include/harfbuzz" SDL_ttf.c
cp SDL_ttf.h "$folder/include/SDL2/"

# module NAME VERSION INCLUDE LIBRARY [FLAG]
module() {
    printf 'Name: %s\nDescription: %s\nVersion: %s\nCflags: -I%s %s\nLibs: -L%s -l%s\n' "$1" "$1" \
        "$2" "$folder/include$3" "${5:-}" "$folder/lib" "$4" >"$folder/lib/pkgconfig/$1.pc"
}
module yaml-0.1 0.2 '' yaml -DYAML_DECLARE_STATIC
module jansson 2.14 '' jansson
module libutf8proc 2.8 '' utf8proc -DUTF8PROC_STATIC
module libpcre2-8 10.42 '' pcre2-8 -DPCRE2_STATIC
module libdeflate 1.14 '' deflate
module freetype2 24.3 /freetype2 freetype
module harfbuzz 6.0 /harfbuzz harfbuzz
module SDL2_ttf 2.20 /SDL2 'SDL2_ttf -lSDL2'
printf '%s\n' "$settings" >"$folder/done"
