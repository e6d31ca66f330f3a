// SPDX-License-Identifier: LGPL-2.1-or-later
/* com.upmem.dpu.NativeSet: dpu.h for Java. */
#include <jni.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/include/dpu.h"

#define NATIVE(name) Java_com_upmem_dpu_NativeSet_##name

/* Global references: a thread of the library finds no classes. */
static JavaVM *vm;
static jclass native_set, exception;
static jmethodID make;

static jclass find_class(JNIEnv *env, const char *name)
{
	jclass class = (*env)->FindClass(env, name);

	return class ? (*env)->NewGlobalRef(env, class) : NULL;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *java, void *reserved)
{
	JNIEnv *env;

	(void)reserved;
	vm = java;
	if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
		return JNI_ERR;
	native_set = find_class(env, "com/upmem/dpu/NativeSet");
	exception = find_class(env, "com/upmem/dpu/DpuException");
	if (!native_set || !exception)
		return JNI_ERR;
	make = (*env)->GetStaticMethodID(env, native_set, "make", "(Lcom/upmem/dpu/DpuCallback;"
					 "[Lcom/upmem/dpu/DpuSet;I)Z");
	return make ? JNI_VERSION_1_8 : JNI_ERR;
}

static void throw(JNIEnv *env, dpu_error_t error)
{
	char *text = dpu_error_to_string(error);

	(*env)->ThrowNew(env, exception, text ? text : "out of memory");
	free(text);
}

/* Throws unless the error is DPU_OK. */
static bool check(JNIEnv *env, dpu_error_t error)
{
	if (error)
		throw(env, error);
	return !error;
}

static struct dpu_set_t *set_of(jlong handle)
{
	return (struct dpu_set_t *)(intptr_t)handle;
}

static jlong new_handle(const struct dpu_set_t *set)
{
	struct dpu_set_t *copy = malloc(sizeof(*copy));

	if (copy)
		*copy = *set;
	return (intptr_t)copy;
}

/* NULL for null. Give it back with put_text(). */
static const char *get_text(JNIEnv *env, jstring string)
{
	return string ? (*env)->GetStringUTFChars(env, string, NULL) : NULL;
}

static void put_text(JNIEnv *env, jstring string, const char *text)
{
	if (text)
		(*env)->ReleaseStringUTFChars(env, string, text);
}

JNIEXPORT jlong JNICALL NATIVE(alloc)(JNIEnv *env, jclass class, jint count, jstring profile,
				      jboolean ranks)
{
	const char *text = get_text(env, profile);
	struct dpu_set_t set;
	dpu_error_t error = ranks ? dpu_alloc_ranks(count, text, &set) : dpu_alloc(count, text, &set);

	(void)class;
	put_text(env, profile, text);
	return check(env, error) ? new_handle(&set) : 0;
}

JNIEXPORT void JNICALL NATIVE(free)(JNIEnv *env, jclass class, jlong set)
{
	(void)class;
	check(env, dpu_free(*set_of(set)));
	free(set_of(set));
}

JNIEXPORT void JNICALL NATIVE(drop)(JNIEnv *env, jclass class, jlong set)
{
	(void)env;
	(void)class;
	free(set_of(set));
}

JNIEXPORT jlongArray JNICALL NATIVE(parts)(JNIEnv *env, jclass class, jlong handle, jboolean ranks)
{
	struct dpu_set_t *set = set_of(handle), part;
	jlongArray array;
	uint32_t count, i;

	(void)class;
	if (ranks)
		dpu_get_nr_ranks(*set, &count);
	else
		dpu_get_nr_dpus(*set, &count);
	array = (*env)->NewLongArray(env, count);
	if (!array)
		return NULL;
	if (ranks) {
		DPU_RANK_FOREACH(*set, part, i) {
			jlong value = new_handle(&part);

			(*env)->SetLongArrayRegion(env, array, i, 1, &value);
		}
		return array;
	}
	DPU_FOREACH(*set, part, i) {
		jlong value = new_handle(&part);

		(*env)->SetLongArrayRegion(env, array, i, 1, &value);
	}
	return array;
}

JNIEXPORT jlong JNICALL NATIVE(load)(JNIEnv *env, jclass class, jlong set, jstring path)
{
	const char *text = get_text(env, path);
	struct dpu_program_t *program = NULL;

	(void)class;
	check(env, text ? dpu_load(*set_of(set), text, &program) : DPU_ERR_ELF_NO_SUCH_FILE);
	put_text(env, path, text);
	return (intptr_t)program;
}

JNIEXPORT jintArray JNICALL NATIVE(symbol)(JNIEnv *env, jclass class, jlong program, jstring name)
{
	const char *text = get_text(env, name);
	struct dpu_symbol_t symbol;
	dpu_error_t error = text ? dpu_get_symbol((void *)(intptr_t)program, text, &symbol) :
			    DPU_ERR_UNKNOWN_SYMBOL;
	jintArray array = NULL;

	(void)class;
	put_text(env, name, text);
	if (check(env, error) && (array = (*env)->NewIntArray(env, 2))) {
		const jint values[] = { symbol.address, symbol.size };

		(*env)->SetIntArrayRegion(env, array, 0, 2, values);
	}
	return array;
}

JNIEXPORT void JNICALL NATIVE(launch)(JNIEnv *env, jclass class, jlong set, jboolean async)
{
	(void)class;
	check(env, dpu_launch(*set_of(set), async ? DPU_ASYNCHRONOUS : DPU_SYNCHRONOUS));
}

JNIEXPORT void JNICALL NATIVE(sync)(JNIEnv *env, jclass class, jlong set)
{
	(void)class;
	check(env, dpu_sync(*set_of(set)));
}

JNIEXPORT jbyteArray JNICALL NATIVE(log)(JNIEnv *env, jclass class, jlong set)
{
	jbyteArray array = NULL;
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	dpu_error_t error = file ? dpu_log_read(*set_of(set), file) : DPU_ERR_SYSTEM;

	(void)class;
	if (file)
		fclose(file);
	if (check(env, error) && (array = (*env)->NewByteArray(env, size)))
		(*env)->SetByteArrayRegion(env, array, 0, size, (const jbyte *)text);
	free(text);
	return array;
}

/* ---- work for a thread of the library ---- */

/* The environment of this thread, which may be one that Java does not know. */
static JNIEnv *attach(bool *attached)
{
	JNIEnv *env = NULL;

	*attached = (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK;
	if (*attached && (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL) != JNI_OK)
		return NULL;
	return env;
}

static void detach(bool attached)
{
	if (attached)
		(*vm)->DetachCurrentThread(vm);
}

/* Host memory that a copy uses until it is done; then to_java's arrays get it. */
struct buffers {
	uint8_t *memory;
	jobjectArray to_java;	/* global reference or NULL */
	jsize count, length;	/* arrays, bytes of each */
};

static void copy_to_java(JNIEnv *env, const struct buffers *b)
{
	for (jsize i = 0; i < b->count; i++) {
		jbyteArray array = (*env)->GetObjectArrayElement(env, b->to_java, i);

		(*env)->SetByteArrayRegion(env, array, 0, b->length,
					   (const jbyte *)b->memory + (size_t)i * b->length);
		(*env)->DeleteLocalRef(env, array);
	}
}

static void finish(JNIEnv *env, struct buffers *b)
{
	if (b->to_java) {
		copy_to_java(env, b);
		(*env)->DeleteGlobalRef(env, b->to_java);
	}
	free(b->memory);
	free(b);
}

static dpu_error_t finish_later(struct dpu_set_t set, uint32_t index, void *args)
{
	bool attached;
	JNIEnv *env = attach(&attached);

	(void)set;
	(void)index;
	if (!env)
		return DPU_ERR_SYSTEM;
	finish(env, args);
	detach(attached);
	return DPU_OK;
}

/* After the copy, whether it was queued or not, and after one that failed. */
static void finish_copy(JNIEnv *env, struct dpu_set_t set, struct buffers *b, dpu_error_t error,
			bool async)
{
	if (!error && async)
		error = dpu_callback(set, finish_later, b,
				     DPU_CALLBACK_ASYNC | DPU_CALLBACK_SINGLE_CALL);
	if (!error && async)
		return;
	finish(env, b);
	check(env, error);
}

static struct buffers *new_buffers(jsize count, jsize length)
{
	struct buffers *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->count = count;
	b->length = length;
	b->memory = malloc((size_t)count * length + 1);
	if (!b->memory) {
		free(b);
		return NULL;
	}
	return b;
}

JNIEXPORT void JNICALL NATIVE(broadcast)(JNIEnv *env, jclass class, jlong handle, jstring name,
					 jint address, jint size, jbyteArray data, jboolean async)
{
	const struct dpu_symbol_t symbol = { address, size };
	jsize length = (*env)->GetArrayLength(env, data);
	dpu_xfer_flags_t flags = async ? DPU_XFER_ASYNC : DPU_XFER_DEFAULT;
	struct dpu_set_t set = *set_of(handle);
	struct buffers *b = new_buffers(1, length);
	const char *text;
	dpu_error_t error;

	(void)class;
	if (!b) {
		throw(env, DPU_ERR_SYSTEM);
		return;
	}
	(*env)->GetByteArrayRegion(env, data, 0, length, (jbyte *)b->memory);
	text = get_text(env, name);
	error = text ? dpu_broadcast_to(set, text, 0, b->memory, length, flags) :
		dpu_broadcast_to_symbol(set, symbol, 0, b->memory, length, flags);
	put_text(env, name, text);
	finish_copy(env, set, b, error, async);
}

static dpu_error_t prepare(JNIEnv *env, struct dpu_set_t set, struct buffers *b,
			   jobjectArray arrays, bool from_dpu)
{
	struct dpu_set_t dpu;
	uint32_t i;

	DPU_FOREACH(set, dpu, i) {
		uint8_t *memory = b->memory + (size_t)i * b->length;
		jbyteArray array = (*env)->GetObjectArrayElement(env, arrays, i);
		dpu_error_t error;

		if (!from_dpu)
			(*env)->GetByteArrayRegion(env, array, 0, b->length, (jbyte *)memory);
		(*env)->DeleteLocalRef(env, array);
		error = dpu_prepare_xfer(dpu, memory);
		if (error)
			return error;
	}
	return DPU_OK;
}

/* There is an array for each DPU, and they have the same length (DpuSetBase.java). */
JNIEXPORT void JNICALL NATIVE(push)(JNIEnv *env, jclass class, jlong handle, jstring name,
				    jint address, jint size, jobjectArray arrays, jboolean from_dpu,
				    jboolean async)
{
	const struct dpu_symbol_t symbol = { address, size };
	jbyteArray first = (*env)->GetObjectArrayElement(env, arrays, 0);
	dpu_xfer_t xfer = from_dpu ? DPU_XFER_FROM_DPU : DPU_XFER_TO_DPU;
	dpu_xfer_flags_t flags = async ? DPU_XFER_ASYNC : DPU_XFER_DEFAULT;
	struct buffers *b = new_buffers((*env)->GetArrayLength(env, arrays),
					(*env)->GetArrayLength(env, first));
	struct dpu_set_t set = *set_of(handle);
	dpu_error_t error;
	const char *text;

	(void)class;
	if (!b) {
		throw(env, DPU_ERR_SYSTEM);
		return;
	}
	error = prepare(env, set, b, arrays, from_dpu);
	text = get_text(env, name);
	if (!error)
		error = text ? dpu_push_xfer(set, xfer, text, 0, b->length, flags) :
			dpu_push_xfer_symbol(set, xfer, symbol, 0, b->length, flags);
	put_text(env, name, text);
	if (!error && from_dpu)
		b->to_java = (*env)->NewGlobalRef(env, arrays);
	finish_copy(env, set, b, error, async);
}

/* A DpuCallback and the sets that it is called with. */
struct call {
	jobject callback;	/* global references */
	jobjectArray sets;
	uint32_t left;		/* calls to come; the last one frees it */
};

static void call_free(JNIEnv *env, struct call *call)
{
	(*env)->DeleteGlobalRef(env, call->callback);
	(*env)->DeleteGlobalRef(env, call->sets);
	free(call);
}

static dpu_error_t make_call(struct dpu_set_t set, uint32_t index, void *args)
{
	struct call *call = args;
	bool attached, ok;
	JNIEnv *env = attach(&attached);

	(void)set;
	if (!env)
		return DPU_ERR_SYSTEM;
	ok = (*env)->CallStaticBooleanMethod(env, native_set, make, call->callback, call->sets,
					     (jint)index);
	if (!__atomic_sub_fetch(&call->left, 1, __ATOMIC_ACQ_REL))
		call_free(env, call);
	detach(attached);
	return ok ? DPU_OK : DPU_ERR_INTERNAL;
}

JNIEXPORT void JNICALL NATIVE(call)(JNIEnv *env, jclass class, jlong handle, jobject callback,
				    jobjectArray sets, jboolean blocking, jboolean single)
{
	struct call *call = calloc(1, sizeof(*call));
	unsigned int flags = DPU_CALLBACK_ASYNC;

	(void)class;
	if (!call) {
		throw(env, DPU_ERR_SYSTEM);
		return;
	}
	call->callback = (*env)->NewGlobalRef(env, callback);
	call->sets = (*env)->NewGlobalRef(env, sets);
	call->left = single ? 1 : (*env)->GetArrayLength(env, sets);
	if (!blocking)
		flags |= DPU_CALLBACK_NONBLOCKING;
	if (single)
		flags |= DPU_CALLBACK_SINGLE_CALL;
	check(env, dpu_callback(*set_of(handle), make_call, call, flags));
}
